/** [dsl/ops] cast: conversion by value; one primitive. */
import type { AxesOf, DTypeArgument, NameOf, Tile } from "../typing.ts";
import { defineOp } from "./define-op.ts";

type Face = <X extends number | boolean, const D extends DTypeArgument>(
  x: X,
  dtype: D,
) => Tile<NameOf<D>, AxesOf<X>>;

/**
 * The same values in another dtype: floats round to nearest even, to fp8 saturating; float to int truncates and
 * saturates, NaN gives 0; int to int wraps; a bool gives 0 or 1, and anything but 0 gives true.
 */
export const cast = defineOp<Face>({
  name: "cast",
  signature: "cast(x, dtype)",
  doc: "The same values in another dtype.",
  lower: (call) => {
    call.count(2);
    return call.cast(call.argument(0, "x"), call.dtype(1));
  },
});
