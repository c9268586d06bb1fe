/** [test/unit/engine] Which prompts get keys and values of heads, in parts that fit into memory: every row and head once, every key where its block looks for it. */
import { afterAll, describe, expect, it } from "vitest";
import { type ExpansionShape, expandPrompts } from "../../../engine/layers/expanded-prompts.ts";
import { expansionOptions } from "../../../engine/layers/expansion-options.ts";
import { StepScope } from "../../../engine/layers/scope.ts";
import { openDevice, readTensor, type Tensor } from "../../../runtime/index.ts";

const device = await openDevice("interpreter");
const scope = new StepScope(device);
afterAll(async () => {
  scope.close();
  await device.close();
});

const DEEPSEEK: ExpansionShape = {
  numHeads: 16,
  latentRank: 512,
  keyDim: 192,
  valueDim: 128,
  elementBytes: 2,
  BM: 128,
  section: 8,
  copied: 16,
};
const seq = (queries: number, length: number) => ({ queries, length });

async function entriesOf(list: Tensor): Promise<readonly (readonly number[])[]> {
  const { shape } = list;
  const [count = 0, columns = 0] = shape;
  const data = await readTensor(list);
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: columns }, (_, c) => Number(data[i * columns + c])),
  );
}

describe("prompts with keys and values of heads", () => {
  it("are those at the end of a step that have tokens enough", () => {
    expect(expandPrompts(scope, [], DEEPSEEK)).toBeUndefined();
    expect(expandPrompts(scope, [seq(1, 900), seq(31, 31)], DEEPSEEK)).toBeUndefined();
    const some = [seq(1, 900), seq(64, 64), seq(3, 5), seq(32, 80), seq(200, 300)];
    const found = expandPrompts(scope, some, DEEPSEEK);
    expect(found).toMatchObject({ numOthers: 3, numOtherRows: 68 });
    expect(found?.parts.map(({ numKeys, heads }) => [numKeys, heads])).toEqual([[380, 16]]);
  });

  it.each([
    ["together", [seq(300, 4000), seq(129, 129)], [[4129, 16]]],
    [
      "in two parts",
      [seq(64, 30000), seq(64, 30000), seq(70, 70)],
      [
        [30000, 16],
        [30070, 16],
      ],
    ],
    ["by quarters of the heads", [seq(200, 131072)], [[131072, 4]]],
    ["one head at a time, however many keys", [seq(64, 400000)], [[400000, 1]]],
  ] as const)("are computed %s", async (_, sequences, expected) => {
    const all = [seq(1, 7), ...sequences];
    const { parts = [] } = expandPrompts(scope, all, DEEPSEEK) ?? {};
    expect(parts.map(({ numKeys, heads }) => [numKeys, heads])).toEqual(expected);
    const rows = new Map<string, number>();
    for (const { heads, hasSections, copies, blocks } of parts) {
      const firstKey = new Map<number, number>();
      for (const [sequence = 0, first = 0, keys, row = 0] of await entriesOf(copies)) {
        if (first === 0) firstKey.set(row, sequence);
        if (keys !== all[sequence]?.length || firstKey.get(row - first) !== sequence)
          expect.unreachable(`row ${row} is no key of sequence ${sequence}`);
      }
      for (const [key = -1, row = 0, end = 0, position, keys, head = 0] of await entriesOf(
        blocks,
      )) {
        const sequence = firstKey.get(key) ?? -1;
        const start = all.slice(0, sequence).reduce((sum, { queries }) => sum + queries, 0);
        const { queries = 0, length = 0 } = all[sequence] ?? {};
        expect([position, keys]).toEqual([length - queries + row - start, length]);
        expect(end).toBe(Math.min(row + DEEPSEEK.BM, start + queries));
        const width = hasSections ? DEEPSEEK.section : heads;
        for (let h = head; h < head + width; h++) {
          const place = `${row} ${h}`;
          rows.set(place, (rows.get(place) ?? 0) + end - row);
        }
      }
      expect(DEEPSEEK.numHeads % heads).toBe(0);
      const computed = [...rows.values()].reduce((sum, count) => sum + count, 0);
      const [, ...longest] = all;
      expect(computed).toBeLessThanOrEqual(
        heads * longest.reduce((sum, { queries }) => sum + queries, 0),
      );
    }
    // Blocks of 128 rows begin anew with each sequence, so no two of them share a place.
    const numBlocks = sequences.reduce((sum, { queries }) => sum + Math.ceil(queries / 128), 0);
    expect(rows.size).toBe(numBlocks * (parts[0]?.heads ?? 0));
  });

  it("take tiles of wgmma in 16 bits alone, and no form at all where a device lists no row blocks", () => {
    const sizes = { numHeads: 16, latentRank: 512, plainDim: 128, rotaryDim: 64, valueDim: 128 };
    const { options } = scope;
    expect(expansionOptions(options, "bf16", sizes)).toBeUndefined();
    const hopper = { ...options, listsRowBlocks: true };
    expect(expansionOptions(hopper, "bf16", sizes)).toMatchObject({
      shape: DEEPSEEK,
      keys: { config: { BM: 256, BN: 128, WIDTH: 128 } },
      attention: { config: { BM: 128, BN: 96, heads: 0 } },
      attentionBySections: { config: { heads: 8 } },
    });
    expect(expansionOptions(hopper, "f32", sizes)?.shape.BM).toBe(64);
    expect(expansionOptions(hopper, "f16", { ...sizes, plainDim: 500 })).toBeUndefined();
  });
});
