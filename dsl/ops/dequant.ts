/** [dsl/ops] dequant: quantized values to floats with scales of groups or blocks, from cast, split, sub, mul and merge. */
import type { AxesOf, Dim, DTypeArgument, NameOf, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

export interface DequantOptions<D> {
  /**
   * Elements along a grouped axis that share one scale, needed when the scale has group axes; a list where they have several
   * grouped axes of different groups: 128 or [128, 64].
   */
  readonly group?: number | readonly number[];
  /** The grouped axes, in the order of the scale's group axes; needed where they are several, or other axes are missing from the scale. */
  readonly axis?: Dim | string | readonly (Dim | string)[];
  /** Subtracted before scaling: a constant, or a tile of any dtype over axes of the scale and of `w`. Default 0. */
  readonly zero?: number;
  /** Dtype of the result. The arithmetic is done in f32 and rounded to it once. */
  readonly to: D;
}

type Face = <W extends number, const D extends DTypeArgument>(
  w: W,
  scale: number,
  options: DequantOptions<D>,
) => Tile<NameOf<D>, AxesOf<W>>;

/**
 * (w - zero) * scale. The scale has the axes of `w`, or some of them, except that each grouped axis is replaced by an
 * axis `group` times shorter. mxfp4 is f4e2m1 with f8e8m0 scales in groups of 32; a block of 128×128 has two grouped axes;
 * one scale for all is a scalar.
 * @param w i4, u4, i8, u8, f8e4m3, f8e5m2, nf4 or f4e2m1
 * @param scale of any dtype, also a scalar
 */
export const dequant = defineOp<Face>({
  name: "dequant",
  signature: "dequant(w, scale, { to, group?, axis?, zero? })",
  doc: "Quantized values to floats, with a scale per tensor, row, group or block.",
  lower: (call) => {
    call.count(3);
    return call.dequant(
      call.tile(0, "w"),
      call.tile(1, "scale"),
      call.options(2, ["group", "axis", "zero", "to"]),
    );
  },
});
