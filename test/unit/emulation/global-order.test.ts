/** [test/unit/emulation] Order of accesses to written global memory: within a block by its barriers, between blocks never. */
import { expect, it } from "vitest";
import type { EmulatedRun } from "../../support/emulation-protocol.ts";
import { describeEmulated, floatsOf, i32, input, kindsOf, output } from "./open.ts";

const HEAD = (name: string): string => `TW_KERNEL(64) ${name}(const f32* x, f32* y, f32* z, i32 n)`;

const TEXTS: Readonly<Record<string, string>> = {
  in_place: `
${HEAD("in_place")} {
  const i32 i = tw_bid_x() * 64 + tw_tid();
  tw_stg<f32>(y + i, tw_ldg<f32>(y + i) + 1.0f);
  tw_stg<f32>(z + i, tw_ldg<f32>(y + i) * 2.0f);
}`,
  exchange: `
${HEAD("exchange")} {
  const i32 block = tw_bid_x() * 64;
  tw_stg<f32>(y + block + tw_tid(), (f32)tw_tid());
  if (n) tw_syncthreads();
  tw_stg<f32>(z + block + tw_tid(), tw_ldg<f32>(y + block + (tw_tid() ^ 32)));
}`,
  exchange_warp: `
${HEAD("exchange_warp")} {
  const i32 block = tw_bid_x() * 64;
  tw_stg<f32>(y + block + tw_tid(), (f32)tw_tid());
  if (n) tw_syncwarp();
  tw_stg<f32>(z + block + tw_tid(), tw_ldg<f32>(y + block + (tw_tid() ^ 1)));
}`,
  overlap: `
${HEAD("overlap")} {
  if (tw_tid() < 32 + n) tw_stg<f32>(y + tw_bid_x() * 32 + tw_tid(), (f32)tw_bid_x());
}`,
  neighbour: `
${HEAD("neighbour")} {
  const i32 i = tw_bid_x() * 64 + tw_tid();
  const f32 v = tw_ldg<f32>(y + (i + n) % (64 * tw_nbid_x()));
  tw_stg<f32>(y + i, v);
}`,
  halves: `
${HEAD("halves")} {
  tw_stg<tw_f16>((tw_f16*)y + tw_bid_x() * 64 + tw_tid(), (tw_f16)tw_tid());
}`,
  count: `
${HEAD("count")} {
  tw_atom_add_f32(y, 1.0f);
  tw_atom_max_f32(y + 1, (f32)tw_tid());
  if (n == 1 && tw_tid() == 0) tw_stg<f32>(y, 0.0f);
  if (n == 2 && tw_tid() == 0) tw_stg<f32>(z, tw_ldg<f32>(y));
}`,
  shared_input: `
${HEAD("shared_input")} {
  tw_stg<f32>(z + tw_bid_x() * 64 + tw_tid(), tw_ldg<f32>(y) + tw_ldg<f32>(x));
  if (n && tw_bid_x() == 3 && tw_tid() == 0) tw_stg<f32>(y, 1.0f);
}`,
};

describeEmulated("order of global memory", (emulation) => {
  const unit = emulation.build(
    Object.entries(TEXTS).map(([name, text]) => ({ id: name, entry: name, text })),
  );
  const launch = (kernel: string, n: number, resident: number): readonly EmulatedRun[] =>
    unit.launch({
      kernel,
      grid: [4, 1, 1],
      threads: 64,
      sharedBytes: 0,
      resident,
      seeds: [1, 2, 3, 4, 5, 6],
      args: [
        input("x", new Float32Array(1)),
        output("y", new Float32Array(256)),
        output("z", new Float32Array(256)),
        i32(n),
      ],
    });

  it.each([
    ["in_place", 0],
    ["exchange", 1],
    ["exchange_warp", 1],
    ["overlap", 0],
    ["neighbour", 0],
    ["halves", 0],
    ["count", 0],
    ["shared_input", 0],
  ] as const)("finds nothing wrong with %s(%i), blocks one by one or together", (kernel, n) => {
    expect(
      [...launch(kernel, n, 1), ...launch(kernel, n, 4)].flatMap((run) => run.reports),
    ).toEqual([]);
  });

  it.each([
    ["exchange", 0, "with no barrier after it was"],
    ["exchange_warp", 0, "with no barrier after it was"],
    ["overlap", 1, "but no arrival at a counter orders the blocks: it was written by thread"],
    ["neighbour", 64, "but no arrival at a counter orders the blocks: it was"],
    ["count", 1, "tw_atom_add_f32 at count:3"],
    ["count", 2, "tw_atom_add_f32 at count:3"],
    ["shared_input", 1, "byte 0 of y"],
  ] as const)("reports %s(%i) as a race on every seed", (kernel, n, words) => {
    for (const run of [...launch(kernel, n, 1), ...launch(kernel, n, 4)]) {
      expect(kindsOf([run])).toEqual(["race"]);
      expect(run.reports.map((report) => report.text).join("\n")).toContain(words);
    }
  });

  it("names the tensor, the byte and the other block", () => {
    const text = launch("overlap", 1, 1)[0]?.reports[0]?.text ?? "";
    expect(text).toMatch(
      /tw_stg at overlap:3 writes byte \d+ of y, .* by thread \d+ \(warp \d lane \d+\) of block \(\d,0,0\), tw_stg at overlap:3/,
    );
  });

  it("keeps the values right where there is no race", () => {
    for (const run of launch("exchange", 1, 4)) {
      expect([...floatsOf(run, "z")]).toEqual(Array.from({ length: 256 }, (_, i) => (i % 64) ^ 32));
    }
  });
});
