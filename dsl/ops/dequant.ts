/** [dsl/ops] dequant: quantized values to floats with scales per group, from cast, split, sub, mul and merge. */
import type { AxesOf, DTypeArgument, NameOf, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

export interface DequantOptions<D> {
  /** Elements along the grouped axis that share one scale. Needed when the scale has a group axis. */
  readonly group?: number;
  /** Subtracted before scaling: a constant, or a tile with the axes of the scale. Default 0. */
  readonly zero?: number;
  /** Dtype of the result, in which the arithmetic is done. */
  readonly to: D;
}

type Face = <W extends number, const D extends DTypeArgument>(
  w: W,
  scale: number,
  options: DequantOptions<D>,
) => Tile<NameOf<D>, AxesOf<W>>;

/**
 * (w - zero) * scale. The scale has the axes of `w`, or some of them, except that the grouped axis is replaced by an
 * axis `group` times shorter.
 * @param w i4, u4, i8, u8, f8e4m3 or f8e5m2
 */
export const dequant = defineOp<Face>({
  name: "dequant",
  signature: "dequant(w, scale, { to, group?, zero? })",
  doc: "Quantized values to floats, with a scale per group.",
  lower: (call) => {
    call.count(3);
    return call.dequant(
      call.tile(0, "w"),
      call.tile(1, "scale"),
      call.options(2, ["group", "zero", "to"]),
    );
  },
});
