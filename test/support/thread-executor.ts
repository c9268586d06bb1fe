/** [test/support] Runs thread IR for all threads of every block, in step, and reports what no device would tell: races, uninitialised reads, accesses out of bounds. */

import type { ThreadKernel } from "../../codegen/ir/thread.ts";
import { verifyThreadKernel } from "../../codegen/ir/verify-thread.ts";
import { compileBlock } from "./thread-executor/compile.ts";
import { type ExecutorArguments, Machine } from "./thread-executor/machine.ts";

export { programText } from "./thread-executor/compile.ts";
export type { ExecutorArguments } from "./thread-executor/machine.ts";

/**
 * Blocks run one after another; the tensors are written in place.
 * @returns what went wrong, each kind once; empty for a sound run
 */
export function executeThreads(kernel: ThreadKernel, args: ExecutorArguments): readonly string[] {
  verifyThreadKernel(kernel);
  const block = compileBlock(kernel);
  const problems: string[] = [];
  const [x, y, z] = args.grid;
  for (let pz = 0; pz < z; pz++)
    for (let py = 0; py < y; py++)
      for (let px = 0; px < x; px++) block(new Machine(kernel, args, [px, py, pz], problems));
  return problems;
}
