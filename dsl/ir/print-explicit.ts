/** [dsl/ir] Text of the ops of the third tier. parse-explicit.ts reads it back. */
import type { ExplicitOp, RolesOp } from "./explicit.ts";
import type { Value, ValueType } from "./types.ts";

/** How the printer writes names and values. */
export interface TextOf {
  readonly name: (name: string) => string;
  readonly value: (value: Value) => string;
  readonly type: (type: ValueType) => string;
}

/** The part of an op right of `=`; of one with blocks, what stands before the first brace. */
export function formatExplicit(op: ExplicitOp, text: TextOf): string {
  switch (op.kind) {
    case "ring": {
      const { dtype, axes } = op;
      return `ring ${text.name(op.ring)}: ${text.type({ dtype, axes })} stages ${op.stages}`;
    }
    case "barrier":
      return `barrier ${text.name(op.barrier)} stages ${op.stages} arrivals ${op.arrivals}`;
    case "barrier_wait":
      return `barrier_wait ${text.name(op.barrier)} use ${text.value(op.use)}`;
    case "barrier_arrive": {
      const bytes = op.bytes === undefined ? "" : ` bytes ${op.bytes}`;
      return `barrier_arrive ${text.name(op.barrier)} use ${text.value(op.use)}${bytes}`;
    }
    case "copy_async": {
      const slot = `${text.name(op.ring)} use ${text.value(op.use)}`;
      return `copy_async ${slot} = ${text.value(op.value)} signal ${text.name(op.barrier)}`;
    }
    case "slot":
      return `slot ${text.name(op.ring)} use ${text.value(op.use)}${op.registers === true ? " registers" : ""}`;
    case "dot_wait":
      return `dot_wait ${op.pending}${op.xs.length === 0 ? "" : ` of ${op.xs.map(text.value).join(", ")}`}`;
    case "walk":
      return `walk ${op.what}${op.counted === true ? " counted" : ""}`;
    case "roles":
      return `roles warpgroups ${op.warpgroups}${registers(op)} producer`;
    default:
      return op satisfies never;
  }
}

function registers({ registers: of }: RolesOp): string {
  return of === undefined ? "" : ` registers(${of.producer}, ${of.consumer})`;
}

const KINDS: ReadonlySet<string> = new Set<ExplicitOp["kind"]>([
  "ring",
  "barrier",
  "barrier_wait",
  "barrier_arrive",
  "copy_async",
  "slot",
  "dot_wait",
  "walk",
  "roles",
]);

/** Whether an op is one of the third tier. */
export function isExplicitOp<T extends { readonly kind: string }>(
  op: T,
): op is Extract<T, { readonly kind: ExplicitOp["kind"] }> {
  return KINDS.has(op.kind);
}
