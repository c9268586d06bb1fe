/**
 * [codegen/passes] Refuses kernels whose barriers, copies and dots do not keep to each other in every order of the threads. Reads the finished
 * scheduled IR and changes nothing; runs last, behind insert-barriers. Kernels without mbarriers and rings pass unread.
 */
import {
  InternalError,
  KernelSourceError,
  type Location,
  UNKNOWN_LOCATION,
} from "../../dsl/index.ts";
import { findProtocolViolation, hasProtocol } from "../analysis/check-protocol.ts";
import { isOfKernel, reportFault } from "../analysis/protocol/report.ts";
import type { ScheduledKernel } from "../ir/scheduled.ts";
import type { PassContext } from "./pass.ts";

const PASS = "check-protocol";

function ringLocation({ body }: ScheduledKernel): Location {
  return body.ops.find((op) => op.kind === "for" || op.kind === "roles")?.loc ?? UNKNOWN_LOCATION;
}

function scopeOf(trips: readonly number[], programs: number): string {
  const [first = 0, last = first] = [trips[0], trips.at(-1)];
  const isRange = trips.length > 2 && last - first === trips.length - 1;
  const counts = isRange ? `${first} to ${last}` : trips.join(", ");
  return `${counts} trips${programs > 1 ? `, 0 to ${programs} programs a block` : ""}`;
}

/**
 * @throws KernelSourceError where the kernel writes out its roles, InternalError where they are the schedule's: TW2101 where threads wait for ever, TW2102 where a tile is read before it is filled, TW2103 where it is filled while it
 * is read, TW2104 for bytes that a phase does not expect, TW2105 for arrivals that may count in another phase, TW2106 for a phase that a
 * waiter may miss, TW2107 for accumulators of a dot in flight, TW2108 for a barrier without init, TW2109 for a slot that a ring lacks, TW2110
 * for tiles out of order, TW2111 for what is under way when the block ends
 */
export function checkProtocol(kernel: ScheduledKernel, context: PassContext): ScheduledKernel {
  if (!hasProtocol(kernel)) return kernel;
  const { violation, trips, programs, notes } = findProtocolViolation(kernel);
  if (violation !== undefined) {
    const { fault, system, chosen } = violation;
    const diagnostic = reportFault(kernel.name, system, fault, chosen);
    throw isOfKernel(system, fault)
      ? new KernelSourceError(diagnostic)
      : new InternalError(diagnostic);
  }
  const loc = ringLocation(kernel);
  if (trips.length > 0)
    context.remark(PASS, `the protocol holds for ${scopeOf(trips, programs)}`, loc);
  for (const note of notes) context.remark(PASS, `not checked for every launch: ${note}`, loc);
  return kernel;
}
