/** [test/errors] What cases import from another file: a constant that can be captured, one that cannot, and a run on the interpreter. */
import { interpret, type KernelDefinition, lowerKernel } from "../../dsl/index.ts";

export const FACTOR = 2;
export const { LOW } = { LOW: -1 };

/** Runs a kernel of tensors x and y, both f32 [4, 16], as one program. */
export function runExample(kernel: KernelDefinition): void {
  const tensor = () => ({ data: new Uint8Array(4 * 16 * 4), shape: [4, 16] });
  interpret(lowerKernel(kernel).tile, { tensors: { x: tensor(), y: tensor() }, grid: [1] });
}
