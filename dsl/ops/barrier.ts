/** [dsl/ops] barrier: a ring of mbarriers in shared memory; part of the third tier. */
import type { Barrier } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = (options?: { readonly stages?: number; readonly arrivals?: number }) => Barrier;

/**
 * `stages` mbarriers (default 1). Use number n takes barrier n mod stages, and is over when `arrivals` (default 1; a consumer counts as many as
 * it has warpgroups) have arrived and all expected bytes are there. At the top level of the body, ahead of `roles()`.
 */
export const barrier = defineOp<Face>({
  name: "barrier",
  signature: "barrier({ stages?, arrivals? }?)",
  doc: "A ring of mbarriers, for roles().",
  lower: (call) => {
    call.count(0, 1);
    return call.barrier(call.options(0, ["stages", "arrivals"]));
  },
});
