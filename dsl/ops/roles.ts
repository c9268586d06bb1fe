/** [dsl/ops] roles: two functions that run side by side over shared memory; the frame of the third tier. */
import { defineOp } from "./define-op.ts";

export interface RolesOptions {
  /** Warpgroups of the consumer, each its share of the rows of a product; default 1. */
  readonly warpgroups?: number;
  /** Registers of a thread of each role, multiples of 8. */
  readonly registers?: { readonly producer: number; readonly consumer: number };
}

interface Roles {
  /** Scalars, waits and copies: one thread runs it. */
  readonly producer: () => void;
  readonly consumer: () => void;
}

/**
 * Runs two functions side by side in each block: one thread copies, warpgroups multiply. What they share lies in `shared()`, and `barrier()`
 * keeps them in order. Once in a body, at its top level. Where the device has no roles, they are made one, trip by trip.
 */
export const roles = defineOp<(roles: Roles, options?: RolesOptions) => void>({
  name: "roles",
  signature: "roles({ producer, consumer }, { warpgroups?, registers? }?)",
  doc: "A producer and a consumer that run side by side over shared memory.",
  lower: (call) => {
    call.count(1, 2);
    return call.roles(call.options(1, ["warpgroups", "registers"]));
  },
});
