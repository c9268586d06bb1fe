/** [test/unit/emulation] Blocks that arrive at a counter in global memory: what the last one may see, and what is said where nothing orders it. */
import { expect, it } from "vitest";
import { compile } from "../../../codegen/compile.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { hipSpec } from "../../../codegen/targets/hip/features.ts";
import { encodeArray } from "../../../dsl/core/rounding.ts";
import { arrivalCases } from "../../../runtime/conformance/arrivals.ts";
import { emulateArtifacts } from "../../support/emulated-artifact.ts";
import type { EmulatedRun } from "../../support/emulation-protocol.ts";
import { bytesOf, describeEmulated, floatsOf, i32, input, kindsOf, output } from "./open.ts";

/** Each block of 64 threads stores its number; the last one adds up what all stored. What `n` leaves out is given by its bits. */
const SUM = (name: string, arrive: string): string => `
TW_KERNEL(64) ${name}(const f32* x, f32* y, i32* counters, f32* z, i32 n) {
  const i32 block = tw_bid_x();
  const u32 flag = tw_smem_dyn();
  tw_stg<f32>(y + block * 64 + tw_tid(), (f32)block);
  if (!(n & 1)) tw_syncthreads();
  if (tw_tid() == 0) tw_sts<i32>(flag, ${arrive});
  tw_syncthreads();
  i32 isLast = tw_lds<i32>(flag);
  if (n & 2) isLast = block == 2;
  if (isLast) {
    f32 sum = 0.0f;
    for (i32 b = 0; b < tw_nbid_x(); ++b) sum += tw_ldg<f32>(y + b * 64 + (tw_tid() ^ 1));
    tw_stg<f32>(z + tw_tid(), sum);
  }
  if ((n & 4) && block == 1) tw_stg<f32>(y + 64, 1.0f);
}`;

const TEXTS = {
  sum: SUM("sum", "tw_last_arrival(counters, tw_nbid_x())"),
  relaxed: SUM("relaxed", "tw_atom_add_i32(counters, 1) == tw_nbid_x() - 1"),
  many: SUM("many", "tw_last_arrival(counters, tw_nbid_x() - 1)"),
};

describeEmulated("arrivals at counters", (emulation) => {
  const unit = emulation.build(
    Object.entries(TEXTS).map(([name, text]) => ({ id: name, entry: name, text })),
  );
  const launch = (kernel: string, n: number): readonly EmulatedRun[] =>
    [1, 4].flatMap((resident) =>
      unit.launch({
        kernel,
        grid: [4, 1, 1],
        threads: 64,
        sharedBytes: 16,
        resident,
        seeds: [1, 2, 3, 4, 5],
        args: [
          input("x", new Float32Array(1)),
          output("y", new Float32Array(256)),
          output("counters", new Int32Array(1)),
          output("z", new Float32Array(64)),
          i32(n),
        ],
      }),
    );

  it("lets the last block read what all stored, and leaves the counter at 0", () => {
    for (const run of launch("sum", 0)) {
      expect(run.reports).toEqual([]);
      expect([...floatsOf(run, "z")]).toEqual(new Array(64).fill(6));
      expect([...bytesOf(run, "counters")]).toEqual([0, 0, 0, 0]);
    }
  });

  it.each([
    ["sum", 1, "race", "no arrival at a counter orders the blocks"], // no barrier before the arrival
    ["sum", 2, "race", "no arrival at a counter orders the blocks"], // a block reads that was not the last
    ["sum", 4, "race", ""], // a store behind the arrival
    ["relaxed", 0, "race", "no arrival at a counter orders the blocks"], // no fences
    ["many", 0, "race", ""], // fewer are expected than arrive
  ] as const)("reports %s(%i)", (kernel, n, kind, words) => {
    const runs = launch(kernel, n);
    expect(kindsOf(runs)).toContain(kind);
    const texts = runs.flatMap((run) => run.reports.map((report) => report.text));
    expect(texts.join("\n")).toContain(words);
  });
});

for (const spec of [cudaSpec("sm_80"), hipSpec("gfx90a")]) {
  describeEmulated(`mistakes around an arrival in the text of ${spec.arch}`, (emulation) => {
    const [, test] = arrivalCases;
    if (test === undefined) throw new Error("no case");
    const right = compile(test.kernel, { target: spec, specialization: test.specialization });
    const start = right.text.lastIndexOf("TW_KERNEL(");
    const [prelude, body] = [right.text.slice(0, start), right.text.slice(start)];
    const call = /tw_last_arrival\((.*), P\)/;
    const texts = [
      ...[...body.matchAll(/tw_syncthreads\(\);/g)].map(
        ({ index, 0: found }) => `${body.slice(0, index)};${body.slice(index + found.length)}`,
      ),
      body.replace(call, "(tw_atom_add_i32($1, 1) == P - 1)"),
      body.replace(call, "tw_last_arrival($1, P - 1)"),
    ];
    const wrong = texts.map((text, i) => ({
      ...right,
      text: prelude + text,
      hash: `${right.hash} ${i}`,
    }));
    const unit = emulateArtifacts(emulation, [right, ...wrong], { seconds: 60 });
    const { tensors, scalars } = test.data();
    const [rows = 0, columns = 0] = tensors["x"]?.shape ?? [];
    const [parts = 0] = tensors["parts"]?.shape ?? [];
    const launch = {
      grid: [Math.ceil(columns / 64), parts, 1] as const,
      tensors: Object.fromEntries(
        Object.entries(tensors).map(([name, { dtype, data }]) => [name, encodeArray(dtype, data)]),
      ),
      dims: { M: rows, N: columns, P: parts, C: Math.ceil(columns / 64) },
      scalars,
      seeds: [1, 2, 3],
      resident: 4,
    };

    it("has none in the text as it is", () => {
      expect(unit.launch(right, launch).flatMap(({ reports }) => reports)).toEqual([]);
    });

    it("finds each", () => {
      expect(wrong.length).toBeGreaterThan(4);
      for (const artifact of wrong)
        expect(kindsOf(unit.launch(artifact, launch)), artifact.text.slice(start)).toContain(
          "race",
        );
    });
  });
}
