/** [test/errors] Runs the kernel of a case on the interpreter, whose findings are what the case shows. */
import { interpret, type KernelDefinition, lowerKernel } from "../../dsl/index.ts";

/** Runs a kernel of tensors x and y, both f32 [4, 16], as one program. */
export function runExample(kernel: KernelDefinition): void {
  const tensor = () => ({ data: new Uint8Array(4 * 16 * 4), shape: [4, 16] });
  interpret(lowerKernel(kernel).tile, { tensors: { x: tensor(), y: tensor() }, grid: [1] });
}
