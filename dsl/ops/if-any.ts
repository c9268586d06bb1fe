/** [dsl/ops] ifAny: work done only for rows that need it; the compiler decides how coarse. */
import { defineOp } from "./define-op.ts";

type Face = <R>(cond: boolean, axis: string, body: () => R, otherwise: R) => R;

/**
 * Runs `body` for a set of rows along `axis` that holds every row where `cond` is true, and takes `otherwise` for the rest.
 * Which further rows run is up to the compiler, so the body must be row-local along the axis and must give `otherwise`
 * where `cond` is false.
 * @param cond mask over `axis`
 * @param body a function literal without arguments; gives one tile, or an array or object of tiles
 */
export const ifAny = defineOp<Face>({
  name: "ifAny",
  signature: "ifAny(cond, axis, () => result, otherwise)",
  doc: "Work done only for the rows that need it.",
  lower: (call) => {
    call.count(4);
    return call.ifAny(
      call.mask(0, "cond"),
      call.axis(1, 0),
      call.argument(2, "body"),
      call.argument(3, "otherwise"),
    );
  },
});
