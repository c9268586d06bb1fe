/** [test/unit/codegen] Stores of 4-bit elements: who writes which byte, decided when tiles are scheduled, and what the threads leave. */
import { describe, expect, it } from "vitest";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import { printScheduled } from "../../../../codegen/ir/print-scheduled.ts";
import type { SOp } from "../../../../codegen/ir/scheduled.ts";
import { verifyScheduled } from "../../../../codegen/ir/verify-scheduled.ts";
import { walkScheduled } from "../../../../codegen/ir/visit-scheduled.ts";
import { scheduleTiles } from "../../../../codegen/passes/schedule-tiles.ts";
import { runTextOnThreads, THREAD_TARGET_NAMES } from "../../../support/run-threads.ts";
import { runText } from "../../../support/run-tile-ir.ts";
import { CUDA, contextOf, tileKernel, WGSL } from "./run-pass.ts";

const PARAMS = ["x: in u4[M, N]", "y: inout u4[M, N]", "t: inout u4[N, M]", "end: i32"];

/** Copies a tile up to `end` of each row, and across. */
function body(m: number, n: number): string {
  return `%z.0: i32 = const 0
    %e.1: i32 = param end
    %x.2: u4[BM=${m}, BN=${n}] = load x[span BM=${m} from %z.0, span BN=${n} from %z.0] fill 0
    store y[span BM=${m} from %z.0, span BN=${n} from %z.0 end %e.1] = %x.2
    %t.3: u4[BN=${n}, BM=${m}] = broadcast %x.2
    store t[span BN=${n} from %z.0, span BM=${m} from %z.0] = %t.3`;
}

function storesOf(target: typeof CUDA, divisibility: Readonly<Record<string, number>>) {
  const context = contextOf(target, divisibility);
  const scheduled = scheduleTiles(tileKernel(PARAMS, ["M", "N"], body(16, 32)), context);
  verifyScheduled(scheduled);
  const stores: Extract<SOp, { kind: "store" }>[] = [];
  walkScheduled(scheduled.body, (op) => void (op.kind === "store" && stores.push(op)));
  const again = printScheduled(parseScheduled(printScheduled(scheduled)));
  expect(again).toBe(printScheduled(scheduled));
  const remarks = context.remarks.map(({ message }) => message);
  return { stores: stores.map((op) => `${op.tensor} ${op.width} ${op.pairs === true}`), remarks };
}

describe("a store of 4-bit elements", () => {
  it("goes two by two where rows begin at bytes and an end may cut one, after a conversion where threads hold halves", () => {
    const { stores, remarks } = storesOf(CUDA, { M: 16, N: 16 });
    expect(stores).toEqual(["y 1 true", "t 8 false"]);
    expect(remarks).toContain(
      "store y: 1 bytes a lane, half of one at a bound: the end along BN is a multiple of 1 only",
    );
    expect(remarks).toContain("t: another layout is needed: 2048 bytes through shared memory");
  });

  it("goes half by half, with the reason, where rows begin inside a byte", () => {
    const { stores, remarks } = storesOf(CUDA, { M: 1, N: 2 });
    expect(stores).toEqual(["y 1 true", "t 1 false"]);
    expect(remarks).toContain(
      "store t: half bytes, one by one: bytes do not begin at even elements",
    );
  });

  it("keeps its layout on WGSL, which writes words by atomics", () => {
    expect(storesOf(WGSL, { M: 16, N: 16 }).stores).toEqual(["y 1 false", "t 1 false"]);
  });
});

describe.each(THREAD_TARGET_NAMES)("threads on %s", (target) => {
  it.each([
    [16, 32, 32],
    [16, 32, 31],
    [7, 9, 4],
    [5, 64, 63],
  ])("leave a tile of %i × %i up to %i, and nothing else", (m, n, end) => {
    const text = `kernel k(\n${PARAMS.join(",\n")},\n) dims(M, N) {\n${body(m, n)}\n}\n`;
    const values = (count: number, step: number): number[] =>
      Array.from({ length: count }, (_, i) => (i * step + 3) % 16);
    const input = {
      tensors: {
        x: { shape: [m, n], values: values(m * n, 7) },
        y: { shape: [m, n], values: values(m * n, 5) },
        t: { shape: [n, m], values: values(m * n, 11) },
      },
      scalars: { end },
    };
    const { outputs, problems } = runTextOnThreads(text, input, target);
    expect(problems).toEqual([]);
    expect(outputs).toMatchObject(runText(text, input));
  });
});
