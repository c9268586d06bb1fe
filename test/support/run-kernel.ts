/** [test/support] Lowers a kernel definition and runs it in the interpreter on plain numbers. */
import type { KernelDefinition, Specialization } from "../../dsl/definition.ts";
import { lowerKernel } from "../../dsl/frontend/lower-kernel.ts";
import { printKernel } from "../../dsl/ir/print.ts";
import { verifyKernel } from "../../dsl/ir/verify.ts";
import { type RunInput, runText } from "./run-tile-ir.ts";

/** The tile IR of a kernel as text; it is verified first. */
export function textOf(definition: KernelDefinition, spec: Specialization = {}): string {
  const { tile } = lowerKernel(definition, spec);
  verifyKernel(tile);
  return printKernel(tile);
}

/** The ops of a kernel's body, without the head, the final brace and indentation. */
export function opsOf(definition: KernelDefinition, spec: Specialization = {}): readonly string[] {
  const lines = textOf(definition, spec).trim().split("\n");
  const start = lines.findIndex((line) => line.startsWith(")"));
  return lines.slice(start + 1, -1).map((line) => line.trim());
}

/** Contents of every tensor after the run. The IR goes through its text form, so that what is printed is what runs. */
export function runKernel(
  definition: KernelDefinition,
  spec: Specialization,
  input: Omit<RunInput, "grid"> & { readonly grid?: readonly number[] },
): Readonly<Record<string, readonly number[]>> {
  return runText(textOf(definition, spec), input);
}
