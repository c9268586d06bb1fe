/** [codegen/ir] Text of the ops of warps with roles. What is read back of it is in parse-scheduled-roles.ts. */
import { formatName } from "../../dsl/index.ts";
import type { SharedRef, SOp, SValue } from "./scheduled.ts";
import type { SMbarrierArrive, SRoles } from "./scheduled-roles.ts";

/** How the printer writes values and slots. */
export interface ValueText {
  readonly use: (value: SValue) => string;
  readonly list: (values: readonly SValue[]) => string;
  readonly ref: (ref: SharedRef) => string;
}

/** The text of an op of roles, or undefined for another one. */
export function roleOpText(op: SOp, text: ValueText): string | undefined {
  switch (op.kind) {
    case "mbarrier_init":
      return `mbarrier_init ${formatName(op.barrier)} arrivals ${op.arrivals}`;
    case "next_program":
      return `next_program from ${text.use(op.first)} after ${text.use(op.after)} of ${text.use(op.blocks)}`;
    case "programs_done":
      return `programs_done of ${text.use(op.blocks)}`;
    case "post":
      return `post ${text.ref(op.into)} word ${op.word} = ${text.use(op.value)}`;
    case "fetch":
      return `fetch ${text.ref(op.from)} word ${op.word} same ${text.use(op.same)}`;
    case "mbarrier_wait":
      return `mbarrier_wait ${text.ref(op.on)} parity ${text.use(op.parity)}${op.cluster === true ? " cluster" : ""}`;
    case "mbarrier_arrive":
      return `mbarrier_arrive ${text.ref(op.on)}${arrivalText(op)}`;
    case "send_tile":
      return `send_tile ${text.use(op.value)} into ${formatName(op.into)} of ${op.rank}`;
    case "take_tile":
      return `take_tile ${formatName(op.from)}`;
    case "mbarrier_expect":
      return `mbarrier_expect ${text.ref(op.on)} bytes ${op.bytes}`;
    case "dot_wait":
      return `dot_wait ${op.pending}${op.behind === undefined ? "" : ` behind ${text.use(op.behind)}`}${op.done.length === 0 ? "" : ` done ${text.list(op.done)}`}`;
    default:
      return undefined;
  }
}

function arrivalText({ everywhere, warps, rank }: SMbarrierArrive): string {
  const where = rank === undefined ? "" : ` of ${rank}`;
  return `${everywhere === true ? " everywhere" : ""}${warps === true ? " warps" : ""}${where}`;
}

/** The first line of the op, up to the producer. */
export function rolesText({ explicit, counted, registers: r }: SRoles): string {
  const moved = r === undefined ? "" : ` registers(${r.producer}, ${r.consumer})`;
  return `roles${explicit === true ? " explicit" : ""}${counted === true ? " counted" : ""}${moved} producer {`;
}
