/** [test/unit/codegen] Runs one pass on a kernel given as text and gives the text of what it left. No test here. */
import type { TargetSpec } from "../../../../codegen/artifact.ts";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import { printScheduled } from "../../../../codegen/ir/print-scheduled.ts";
import type { ScheduledKernel } from "../../../../codegen/ir/scheduled.ts";
import { verifyScheduled } from "../../../../codegen/ir/verify-scheduled.ts";
import { createContext, type PassContext } from "../../../../codegen/passes/pass.ts";
import { parseKernel, printKernel, type TileKernel, verifyKernel } from "../../../../dsl/index.ts";

export const CUDA: TargetSpec = {
  target: "cuda",
  arch: "sm_80",
  warpSize: 32,
  maxThreads: 1024,
  maxSharedBytes: 96 * 1024,
  features: ["cp.async", "mma.sync"],
};

export const WGSL: TargetSpec = {
  target: "wgsl",
  warpSize: 1,
  maxThreads: 256,
  maxSharedBytes: 16 * 1024,
  features: [],
};

/** The ops of a printed kernel: what stands between its outer braces, without the indent. */
function bodyOf(text: string): string {
  const lines = text.trimEnd().split("\n");
  const start = lines.findLastIndex((line) => /^(\)|\{).*\{?$/.test(line) && !line.startsWith(" "));
  return lines
    .slice(start + 1, -1)
    .map((line) => line.slice(2))
    .join("\n");
}

/** A kernel over the usual parameters with these ops as its body. */
export function tileKernel(
  params: readonly string[],
  dims: readonly string[],
  body: string,
  fixed = "",
): TileKernel {
  const clauses = [dims.length === 0 ? "" : ` dims(${dims.join(", ")})`, fixed];
  const head = `)${clauses.join(" ").trimEnd()}`;
  const kernel = parseKernel(`kernel k(\n${params.join(",\n")},\n${head} {\n${body}\n}\n`);
  verifyKernel(kernel);
  return kernel;
}

export function contextOf(
  target: TargetSpec = CUDA,
  divisibility: Readonly<Record<string, number>> = {},
): PassContext {
  return createContext(target, divisibility);
}

/** Body after a tile pass; both sides are verified. */
export function afterPass(
  kernel: TileKernel,
  pass: (kernel: TileKernel, context: PassContext) => TileKernel,
  context: PassContext = contextOf(),
): string {
  const after = pass(kernel, context);
  verifyKernel(after);
  return bodyOf(printKernel(after));
}

/** Body after a scheduled pass; both sides are verified. */
export function afterScheduledPass(
  text: string,
  pass: (kernel: ScheduledKernel, context: PassContext) => ScheduledKernel,
  context: PassContext = contextOf(),
): { readonly body: string; readonly kernel: ScheduledKernel } {
  const before = parseScheduled(text);
  verifyScheduled(before);
  const kernel = pass(before, context);
  verifyScheduled(kernel);
  return { body: bodyOf(printScheduled(kernel)), kernel };
}
