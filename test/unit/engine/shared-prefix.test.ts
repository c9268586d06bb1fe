/** [test/unit/engine] Which sequences of a step share a beginning, against a search through all sets of them, and what the device is told of it. */
import { describe, expect, it } from "vitest";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { Request, type StepEntry } from "../../../engine/core.ts";
import { Engine } from "../../../engine/engine.ts";
import type { AttentionConfig } from "../../../engine/layers/attention.ts";
import { sharingOf } from "../../../engine/layers/shared-decode.ts";
import { resolveSampling } from "../../../engine/sampling.ts";
import { SharedPrefixes, savedPositions } from "../../../engine/shared-prefix.ts";
import { SharedTiles } from "../../../engine/shared-tiles.ts";
import { InterpreterBackend } from "../../../runtime/drivers/interpreter/device.ts";
import { hostMemory } from "../../../runtime/host-memory.ts";
import { CoreDevice, type Tensor, tensorFrom } from "../../../runtime/index.ts";
import { RecordingBackend } from "../../support/recording-backend.ts";
import { writeTinyModel } from "../../support/tiny-model.ts";

const PAGE = 4;
const PARAMS = resolveSampling({});
const RULE = { rows: 3, tokens: 8, saved: 16 };

/** A decode of the position behind the last page but `behind`. */
function entryOf(id: number, tables: readonly (readonly number[])[], behind = 0): StepEntry {
  const request = new Request(`r${id}`, [1], PARAMS, id);
  const [first = [], ...others] = tables;
  request.pages.push(...first);
  request.tables.push(...others.map((pages) => [...pages]));
  const start = ((tables[0]?.length ?? 0) - 1) * PAGE - behind;
  return { request, start, count: 1, samples: true, awaits: false };
}

function finder(groups: readonly number[] = [0], rule = RULE): SharedPrefixes {
  return new SharedPrefixes({ pageSize: PAGE, groups, rule });
}

const idsOf = (found: ReturnType<SharedPrefixes["find"]>) =>
  found.map(({ requests, tokens }) => ({ ids: requests.map(({ id }) => id), tokens }));

describe("shared beginnings", () => {
  it("are those of sequences whose tables begin alike, up to the page that is written", () => {
    const tables = [0, 1, 2, 3].map((i) => [7, 8, 9, 6, 20 + i]);
    const entries = [...tables.map((pages, i) => entryOf(i, [pages])), entryOf(9, [[1, 8, 9, 6]])];
    expect(idsOf(finder().find(entries))).toEqual([
      { ids: ["r0", "r1", "r2", "r3"], tokens: 4 * PAGE },
    ]);
    const early = [...entries.slice(0, 3), entryOf(3, [tables[3] ?? []], PAGE)];
    expect(idsOf(finder().find(early))[0]?.tokens).toBe(3 * PAGE);
  });

  it.each([
    [8, 2],
    [16, undefined], // one sequence fills a tile
  ])(
    "of %i heads that share a key are tiles of %s sequences in software",
    async (numHeads, most) => {
      const device = new CoreDevice(new InterpreterBackend());
      const layer = { kind: "attention", window: 0, numHeads, numKvHeads: 1, headDim: 8 };
      const keys = tensorFrom(device, "f32", [1], new Float32Array(1));
      const caches = [{ keys, values: keys, group: 0 }];
      expect(sharingOf(device, [layer as AttentionConfig], caches)?.members).toBe(most);
      await device.close();
    },
  );

  it("are left alone where a kernel may not take as many tensors", async () => {
    const device = new CoreDevice(new InterpreterBackend());
    const layer = { kind: "attention", window: 0, numHeads: 4, numKvHeads: 1, headDim: 8 };
    const keys = tensorFrom(device, "f32", [1], new Float32Array(1));
    const caches = [{ keys, values: keys, group: 0 }];
    const taking = (maxTensors: number) =>
      sharingOf(
        { ...device, info: { ...device.info, maxTensors } } as typeof device,
        [layer as AttentionConfig],
        caches,
      );
    expect(taking(10)?.members).toBe(4);
    expect(taking(8)).toBeUndefined();
    await device.close();
  });

  it("agree in the tables of all groups of layers", () => {
    const entries = [0, 1, 2, 3].map((i) =>
      entryOf(i, [
        [1, 2, 3, 4, 5, 30 + i],
        [6, 7, 8, 10, i === 3 ? 9 : 11, 40 + i],
        [50 + i, 0, 0, 0, 0, 0],
      ]),
    );
    expect(idsOf(finder([0, 1]).find(entries))[0]?.tokens).toBe(4 * PAGE);
    expect(idsOf(finder([0]).find(entries))[0]?.tokens).toBe(5 * PAGE);
    expect(finder([0, 2]).find(entries)).toEqual([]);
  });

  it("are found apart where their parts save more than the whole", () => {
    const start = [1, 2, 3];
    const tables = [4, 5].flatMap((part) =>
      [0, 1, 2].map((i) => [...start, ...Array(6).fill(part * 10), part * 100 + i]),
    );
    const entries = tables.map((pages, i) => entryOf(i, [pages]));
    expect(idsOf(finder().find(entries))).toEqual([
      { ids: ["r0", "r1", "r2"], tokens: 9 * PAGE },
      { ids: ["r3", "r4", "r5"], tokens: 9 * PAGE },
    ]);
    const close = tables.map((pages, i) =>
      entryOf(i, [[...start, ...start, pages.at(-2) ?? 0, i]]),
    );
    expect(idsOf(finder().find(close)).map(({ tokens }) => tokens)).toEqual([6 * PAGE]);
  });

  it("must be worth launches of their own", () => {
    const of = (rows: number, pages: number) =>
      finder().find(
        Array.from({ length: rows }, (_, i) => entryOf(i, [[...Array(pages).keys(), 90 + i]])),
      );
    expect(of(2, 100)).toEqual([]); // sequences
    expect(of(30, 1)).toEqual([]); // positions
    expect(of(3, 1)).toEqual([]);
    expect(of(3, 2)).toHaveLength(1);
  });

  it("are looked for again only when the step has other sequences, or tables were made anew", () => {
    const prefixes = finder();
    const entries = [0, 1, 2].map((i) => entryOf(i, [[1, 2, 3, 10 + i]]));
    const found = prefixes.find(entries);
    for (const { request } of entries) request.tables[0]?.push(99);
    expect(prefixes.find(entries)).toBe(found);
    entries.forEach(({ request }, i) => void request.tables[0]?.splice(1, 2, 60 + i, 70));
    for (const { request } of entries) prefixes.forget(request);
    expect(prefixes.find(entries)).toEqual([]);
    expect(prefixes.find(entries.slice(1))).toEqual([]);
  });

  it("hold in every table of random trees, and no set saves more", () => {
    let state = 7;
    const next = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 60; round++) {
      const tables: number[][] = [];
      for (let i = 0; i < 4 + next(20); i++) {
        const parent = tables[next(tables.length + 1)] ?? [];
        const kept = parent.slice(0, next(parent.length + 1));
        const own = Array.from({ length: 3 + next(8) }, (_, j) => 1000 * (i + 1) + j);
        tables.push([...kept, ...own]);
      }
      const entries = tables.map((pages, i) => entryOf(i, [pages]));
      const found = finder().find(entries);
      const members = found.flatMap(({ requests }) => requests);
      expect(new Set(members).size).toBe(members.length);
      for (const { requests, tokens } of found) {
        const beginning = (request: Request) => request.pages.slice(0, tokens / PAGE);
        for (const request of requests)
          expect(beginning(request)).toEqual(beginning(requests[0] ?? request));
        expect(requests.length).toBeGreaterThanOrEqual(RULE.rows);
        expect(tokens * (requests.length - 1)).toBeGreaterThanOrEqual(RULE.saved);
      }
      const savedPages =
        found.reduce((n, one) => n + (one.requests.length - 1) * one.tokens, 0) / PAGE;
      expect(savedPages).toBeGreaterThanOrEqual(bestOfAll(entries));
    }
  });

  it("of 256 sequences of 1,024 pages are found in little time, and kept", () => {
    const beginning = Array.from({ length: 512 }, (_, i) => i + 1);
    const entries = Array.from({ length: 256 }, (_, i) =>
      entryOf(i, [[...beginning, ...Array.from({ length: 512 }, (_n, j) => 1000 + 512 * i + j)]]),
    );
    const prefixes = finder();
    expect(prefixes.find(entries)[0]).toMatchObject({ tokens: 512 * PAGE });
    const begin = performance.now();
    for (let i = 0; i < 200; i++) prefixes.find(entries);
    expect((performance.now() - begin) / 200).toBeLessThan(0.5); // 0.002 ms on a quiet core
  });
});

/** Pages that the best single set of sequences saves. */
function bestOfAll(entries: readonly StepEntry[]): number {
  let best = 0;
  for (const { request: leader } of entries)
    for (let pages = RULE.tokens / PAGE; pages <= leader.pages.length; pages++) {
      const alike = entries.filter(
        ({ request, start }) =>
          start >= pages * PAGE &&
          leader.pages.slice(0, pages).every((page, i) => request.pages[i] === page),
      );
      const saved = (alike.length - 1) * pages;
      if (alike.length >= RULE.rows && saved * PAGE >= RULE.saved) best = Math.max(best, saved);
    }
  return best;
}

describe("tiles", () => {
  const STRIDE = 64;
  const device = new CoreDevice(new InterpreterBackend());

  /** What the device would read. */
  function told(
    groups: readonly { readonly rows: readonly number[]; readonly tokens: number }[],
    rows: number,
  ) {
    const tiles = new SharedTiles({ members: 2, leastRows: 3 }, 20, STRIDE, 1);
    const inputs = new Int32Array((1 + tiles.columns) * STRIDE).fill(77);
    const requests = Array.from({ length: rows }, (_, i) => new Request(`r${i}`, [1], PARAMS, i));
    const shared = groups.map(({ rows: own, tokens }) => ({
      requests: own.flatMap((row) => requests[row] ?? []),
      tokens,
    }));
    const fitting = tiles.fitting(shared, rows);
    tiles.fill(inputs, new Int32Array(rows).fill(50), fitting, (request) =>
      requests.indexOf(request),
    );
    const buffer = hostMemory.alloc(0, device);
    const column = (at: number): Tensor => ({
      buffer,
      byteOffset: at * STRIDE * 4,
      dtype: "i32",
      shape: [rows],
    });
    const read = ({ byteOffset, shape }: Tensor) => {
      const count = shape.reduce((n, size) => n * size, 1);
      return [...inputs.subarray(byteOffset / 4, byteOffset / 4 + count)];
    };
    const views = tiles.views(rows, column);
    return Object.fromEntries(Object.entries(views).map(([name, view]) => [name, read(view)]));
  }

  it("have the sequences of a group in order, and each sequence its place", () => {
    expect(
      told(
        [
          { rows: [5, 1, 3], tokens: 16 },
          { rows: [0, 2, 4], tokens: 32 },
        ],
        8,
      ),
    ).toEqual({
      own: [18, 34, 18, 34, 18, 34, 50, 50],
      shared: [32, 16, 32, 16, 32, 16, 0, 0],
      place: [4, 1, 5, 2, 6, 0, -1, -1],
      tileLens: [16, 16, 32, 32],
      members: [5, 1, 3, -1, 0, 2, 4, -1],
    });
  });

  it("leave out a group for which none is left", () => {
    const groups = [
      { rows: [0, 1, 2], tokens: 16 },
      { rows: [3, 4, 5], tokens: 8 },
    ];
    const { tileLens, own, members } = told(groups, 6);
    expect({ tileLens, own, members }).toEqual({
      tileLens: [16, 16, 0],
      own: [34, 34, 34, 50, 50, 50],
      members: [0, 1, 2, -1, -1, -1],
    });
    const all = groups.map(({ rows, tokens }) => ({
      requests: rows.map((row) => new Request(`r${row}`, [1], PARAMS, row)),
      tokens,
    }));
    const tiles = new SharedTiles({ members: 2, leastRows: 3 }, 20, STRIDE, 1);
    expect(savedPositions(tiles.fitting(all, 6))).toBe(2 * 16);
    expect(savedPositions(tiles.fitting(all, 8))).toBe(2 * 16 + 2 * 8);
  });
});

describe("the kernels of shared beginnings", () => {
  it.each([true, false])(
    "are compiled while a model loads where they may be met (%s)",
    async (isMet) => {
      const backend = new RecordingBackend(cudaSpec("sm_80"));
      const engine = await Engine.load({
        model: writeTinyModel({ config: { max_position_embeddings: 200_000 } }),
        device: new CoreDevice(backend),
        dtype: "bfloat16",
        maxNumSeqs: 16,
        maxModelLen: isMet ? 200_000 : 4096,
        warmUp: true,
      });
      await engine.close();
      const names = backend.artifacts
        .map(({ kernel }) => kernel)
        .filter((name) => /^shared_/.test(name));
      const all = ["shared_prefix_decode", "shared_prefix_merge", "shared_suffix_decode"];
      expect([...new Set(names)].sort()).toEqual(isMet ? all : []);
    },
  );
});
