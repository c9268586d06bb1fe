/** [dsl/ops] Finds an op by the name it is exported under. Derived from the catalogue. */
import * as members from "./catalogue.ts";
import { type OpRecord, opOf } from "./define-op.ts";

/** Every op by its exported name. */
export const OPS: ReadonlyMap<string, OpRecord> = new Map(
  Object.entries(members).flatMap(([name, face]) => {
    const op = opOf(face);
    return op === undefined ? [] : [[name, op] as const];
  }),
);
