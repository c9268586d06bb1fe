/** [codegen] What the compiler decided for one specialisation and why, as data and as text. Measures nothing. */
import { formatSpan, type KernelDefinition } from "../dsl/index.ts";
import type { CompileRequest } from "./artifact.ts";
import { compile } from "./compile.ts";
import type { Remark } from "./ir/scheduled.ts";
import type { PackedOrder } from "./layout/packed-order.ts";
import { answersOf } from "./schedule/wishes.ts";

export interface Explanation {
  readonly kernel: string;
  readonly threads: number;
  readonly sharedBytes: number;
  /** Packed tensors that do not lie row-major, and how. */
  readonly orders: Readonly<Record<string, PackedOrder>>;
  /** What became of each wish of the schedule, by its name. */
  readonly schedule: Readonly<Record<string, string>>;
  /** In the order of the passes; equal ones once. */
  readonly remarks: readonly Remark[];
  /** The same for people. */
  readonly text: string;
}

/** Each remark once, in order. */
export function distinctRemarks(remarks: readonly Remark[]): readonly Remark[] {
  const seen = new Set<string>();
  return remarks.filter((remark) => {
    const key = `${remark.pass} ${remark.message} ${formatSpan(remark.loc.span)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function line(remark: Remark): string {
  const { span } = remark.loc;
  const at = span.line < 1 ? "" : `  (${span.file}:${span.line})`;
  return `  ${remark.pass}: ${remark.message}${at}`;
}

/** @throws what `compile` throws */
export function explain(definition: KernelDefinition, request: CompileRequest): Explanation {
  const artifact = compile(definition, request);
  const remarks = distinctRemarks(artifact.remarks);
  const { kernel, threads, sharedBytes, target } = artifact;
  const where = target.arch === undefined ? target.target : `${target.target} ${target.arch}`;
  const head = `${kernel} for ${where}: ${threads} threads, ${sharedBytes} bytes of shared memory`;
  return {
    kernel,
    threads,
    sharedBytes,
    orders: Object.fromEntries(
      artifact.params.flatMap((param) =>
        param.kind === "tensor" && param.order !== undefined ? [[param.name, param.order]] : [],
      ),
    ),
    schedule: answersOf(remarks),
    remarks,
    text: [head, ...remarks.map(line), ""].join("\n"),
  };
}
