/** [test/unit/codegen/passes] Shortest names for registers, wherever a statement names one. */
import { expect, it } from "vitest";
import { parseThreadKernel } from "../../../../codegen/ir/parse-thread.ts";
import { printThreadKernel } from "../../../../codegen/ir/print-thread.ts";
import { renameRegisters } from "../../../../codegen/passes/rename-registers.ts";

const TEXT = `thread k(
) dims() fixed() threads(64) warp(64) bytes(0) {
  var x_4: f32[4]
  var y_7: u32[2]
  call mfma_f32_16x16x16_bf16(*x_4[0] x4, *y_7[0] x2, *y_7[0] x2)
}
`;

it("renames the registers that an instruction takes whole", () => {
  const text = printThreadKernel(renameRegisters(parseThreadKernel(TEXT)));
  expect(text).toContain("call mfma_f32_16x16x16_bf16(*x[0] x4, *y[0] x2, *y[0] x2)");
});
