/** [test/unit/engine] Which layers share page tables and tensors, what that saves, and the pages of several groups as requests come and go. No device. */
import { describe, expect, it } from "vitest";
import { Request } from "../../../engine/core.ts";
import { KvManager } from "../../../engine/kv/kv-manager.ts";
import { mostPages, mostPositions } from "../../../engine/kv/page-counts.ts";
import type { KvGroup } from "../../../engine/kv/page-group.ts";
import { RESERVED_PAGE } from "../../../engine/kv/page-pool.ts";
import type { AttentionConfig } from "../../../engine/layers/attention.ts";
import type { MixerConfig } from "../../../engine/layers/blocks.ts";
import { pageBytes } from "../../../engine/layers/cache-shapes.ts";
import { pageLayout } from "../../../engine/layers/page-layout.ts";
import { resolveSampling } from "../../../engine/sampling.ts";

/** What counts of an attention layer. */
function attention(window: number, numKvHeads = 4, headDim = 64): MixerConfig {
  return { kind: "attention", window, numKvHeads, headDim } as AttentionConfig;
}

const kinds = (groups: readonly KvGroup[]) => groups.map(({ kind }) => kind).join(" ");

/** Five layers with a window to one without, as in Gemma 3 1B. */
const GEMMA3 = Array.from({ length: 26 }, (_, i) => attention((i + 1) % 6 === 0 ? 0 : 512));

describe("groups of layers", () => {
  it("are of one size, a kind in each, and no two layers of one share a tensor", () => {
    const { groups, places, tensors } = pageLayout(GEMMA3, 32768);
    expect(kinds(groups)).toBe("full window window window window window window");
    expect(tensors).toHaveLength(4);
    expect(new Set(places.map(({ group, tensor }) => `${group} ${tensor}`)).size).toBe(26);
    places.forEach(({ group }, layer) => {
      expect(groups[group]?.kind).toBe((layer + 1) % 6 === 0 ? "full" : "window");
    });
  });

  it("are one where all layers keep the same, shapes differ, or no window is ever left", () => {
    const same = Array.from({ length: 8 }, () => attention(0));
    expect(pageLayout(same, 4096)).toMatchObject({ groups: [{ kind: "full" }] });
    expect(pageLayout(same, 4096).tensors).toHaveLength(8);
    expect(kinds(pageLayout([attention(64), attention(64)], 4096).groups)).toBe("window");
    expect(kinds(pageLayout([attention(64), attention(0, 2)], 4096).groups)).toBe("full");
    expect(kinds(pageLayout([attention(4096), attention(0)], 4096).groups)).toBe("full");
    expect(pageLayout([attention(8), attention(16, 2)], 4096).groups).toEqual([
      { kind: "window", window: 16 },
    ]);
  });

  it("stay few in deep models", () => {
    const deep = Array.from({ length: 60 }, (_, i) => attention(i === 0 ? 0 : 128));
    expect(pageLayout(deep, 4096).groups.length).toBeLessThanOrEqual(8);
    const gptOss = Array.from({ length: 24 }, (_, i) => attention(i % 2 === 0 ? 128 : 0));
    expect(kinds(pageLayout(gptOss, 4096).groups)).toBe("full window");
  });

  it("save the bytes behind windows: a sixth of Gemma 3's at 32,768 positions", () => {
    const bytes = (layers: readonly MixerConfig[], groups: readonly KvGroup[]) =>
      mostPages(32768, { groups, pageSize: 16, chunk: 2048 }) * pageBytes(layers, "bf16", 16).total;
    const { groups, tensors } = pageLayout(GEMMA3, 32768);
    const grouped = bytes(
      tensors.map(({ layer }) => layer),
      groups,
    );
    expect(grouped / bytes(GEMMA3, [{ kind: "full" }])).toBeLessThan(0.23);
  });
});

const PAGE = 4;
const GROUPS: readonly KvGroup[] = [{ kind: "full" }, { kind: "window", window: 6 }];

function request(id: string, length: number): Request {
  return new Request(
    id,
    Array.from({ length }, (_, i) => 10 + i),
    resolveSampling({}),
    0,
  );
}

/** Computes [computed, end) of a request. */
function run(kv: KvManager, one: Request, end: number, others: readonly Request[] = []): void {
  expect(kv.reserve(one, end)).toBe(true);
  one.computed = end;
  one.retired = end;
  kv.publish(one);
  kv.checkIntegrity([one, ...others]);
}

describe("pages of several groups", () => {
  const make = (numPages = 60) =>
    new KvManager({ numPages, pageSize: PAGE, groups: GROUPS, prefixCaching: true });

  it("go back where a window leaves them, one table for each group", () => {
    const kv = make();
    const one = request("a", 40);
    expect(kv.admit(one, kv.match(one), 8, 0)).toBe(true);
    for (let end = 8; end <= 40; end += 4) run(kv, one, end);
    const [full = [], windowed = []] = one.tables;
    expect([full.length, windowed.length]).toEqual([10, 10]);
    expect(full).not.toContain(RESERVED_PAGE);
    expect(windowed.filter((page) => page !== RESERVED_PAGE)).toHaveLength(3);
    expect(kv.numUsable - kv.numFree).toBe(13);
    kv.release(one);
    expect(kv.numFree).toBe(kv.numUsable);
  });

  it("are found as far as all groups have them", () => {
    const kv = make(13);
    const one = request("a", 33);
    kv.admit(one, kv.match(one), 8, 0);
    for (let end = 8; end <= 32; end += 4) run(kv, one, end);
    kv.release(one);
    const again = kv.match(request("b", 33));
    expect(again.positions).toBe(32);
    expect(again.tables[0]).not.toContain(RESERVED_PAGE);
    expect(again.tables[1]?.filter((page) => page !== RESERVED_PAGE)).toHaveLength(2);
    // Others take what the window of the beginning needs: less is found, though the other group has all of it.
    const other = new Request("x", ids(16), resolveSampling({}), 0);
    kv.admit(other, kv.match(other), 16, 0);
    const less = kv.match(request("c", 33));
    expect(less.positions).toBeLessThan(32);
    for (const table of less.tables) expect(table).toHaveLength(less.positions / PAGE);
    const needed = less.tables[1]?.slice(Math.floor((less.positions - 6) / PAGE)) ?? [];
    expect(needed).not.toContain(RESERVED_PAGE);
  });

  it("are copied in each group where a fork writes into what it shares", () => {
    const kv = make();
    const [parent, child] = [request("a", 10), request("b", 10)];
    kv.admit(parent, kv.match(parent), 10, 0);
    run(kv, parent, 10);
    expect(kv.canForkFrom(parent, 10)).toBe(true);
    kv.fork(parent, child, 10);
    expect(kv.reserve(child, 10)).toBe(true);
    expect(kv.takeCopies().map(({ from }) => from)).toEqual(parent.tables.map((table) => table[2]));
    kv.checkIntegrity([parent, child]);
    expect(kv.takeCopies()).toEqual([]);
  });

  it("are copied for a parent too, where its fork holds them still", () => {
    const kv = make();
    const [parent, child] = [request("a", 10), request("b", 10)];
    kv.admit(parent, kv.match(parent), 10, 0);
    run(kv, parent, 10);
    const shared = parent.tables.map((table) => table[2]);
    kv.fork(parent, child, 10);
    expect(kv.reserve(parent, 11)).toBe(true);
    expect(kv.takeCopies().map(({ from }) => from)).toEqual(shared);
    expect(child.tables.map((table) => table[2])).toEqual(shared);
    kv.checkIntegrity([parent, child]);
  });

  it("drop the copies of a request that leaves before a step took them", () => {
    const kv = make();
    const [parent, child] = [request("a", 10), request("b", 10)];
    kv.admit(parent, kv.match(parent), 10, 0);
    run(kv, parent, 10);
    kv.fork(parent, child, 10);
    kv.reserve(child, 10);
    kv.release(child);
    expect(kv.takeCopies()).toEqual([]);
    kv.checkIntegrity([parent]);
  });

  it("bound a sequence: by all groups, or by nothing where windows alone are kept", () => {
    const shape = { groups: GROUPS, pageSize: PAGE, chunk: 8 };
    expect(mostPages(100, shape)).toBe(25 + 5);
    expect(mostPositions(30, shape)).toBe(100);
    expect(mostPositions(6, shape)).toBe(12);
    const windows = { ...shape, groups: [{ kind: "window", window: 6 }] as const };
    expect(mostPositions(5, windows)).toBe(Number.POSITIVE_INFINITY);
    expect(mostPositions(4, windows)).toBe(16);
  });
});

describe("states beside keys and values", () => {
  it("are slots of their own: one a sequence, given back with it, never forked or found", () => {
    const groups: readonly KvGroup[] = [{ kind: "full" }, { kind: "state" }];
    const kv = new KvManager({
      numPages: 40,
      pageSize: PAGE,
      groups,
      numStates: 3,
      prefixCaching: true,
    });
    const [a, b, c] = [request("a", 9), request("b", 9), request("c", 9)];
    for (const one of [a, b]) expect(kv.admit(one, kv.match(one), 9, 0)).toBe(true);
    expect([a.tables[1]?.length, kv.numFree]).toEqual([1, 39 - 6]);
    expect(kv.admit(c, kv.match(c), 9, 0)).toBe(false); // pages are there, a slot is not
    run(kv, a, 24, [b]);
    expect(a.tables.map(({ length }) => length)).toEqual([6, 1]);
    kv.release(b);
    expect(kv.admit(c, kv.match(c), 9, 0)).toBe(true);
    kv.checkIntegrity([a, c]);
    expect([kv.canFork, kv.canForkFrom(a, 9), kv.match(request("d", 9)).positions]).toEqual([
      false,
      false,
      0,
    ]);
  });
});

function ids(length: number): readonly number[] {
  return Array.from({ length }, (_, i) => 900 + i);
}
