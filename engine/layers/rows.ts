/** [engine/layers] The rows that go from layer to layer: floats, or 8 bits with scales where what reads them wants those and what makes them can give them. */
import type { DType } from "../../dsl/index.ts";
import { quantizeRows, quantizeStatic } from "../../dsl/kernels/catalogue.ts";
import { reshape, type Tensor } from "../../runtime/index.ts";
import type { StepScope } from "./scope.ts";

/** The 8 bits that a product takes. */
export interface RowForm {
  readonly codes: DType;
  /** Scales of a row, each for as many columns. */
  readonly groups: number;
}

/** Rows in 8 bits: x ≈ q · scale. */
export interface QuantizedRows {
  /** `[R, H]` */
  readonly q: Tensor;
  /** `[HG, R]`, f32 */
  readonly scale: Tensor;
  /** Of the floats that they stand for. */
  readonly dtype: DType;
}

export type Rows = Tensor | QuantizedRows;

/** Room for rows of `x`'s dtype in a form. @param shape `[R, H]` */
export function emptyRows(
  scope: StepScope,
  { codes, groups }: RowForm,
  [rows = 0, width = 0]: readonly number[],
  dtype: DType,
): QuantizedRows {
  const [q, scale] = [scope.empty(codes, [rows, width]), scope.empty("f32", [groups, rows])];
  return { q, scale, dtype };
}

/**
 * Floats in a form.
 * @param x `[R, H]`
 * @param inputScale `[1]`, f32: the scale of all rows; that of each is found where it is absent
 */
export function rowsInForm(
  scope: StepScope,
  form: RowForm,
  x: Tensor,
  inputScale: Tensor | undefined,
): QuantizedRows {
  const rows = emptyRows(scope, form, x.shape, x.dtype);
  const { q, scale } = rows;
  if (inputScale === undefined) scope.device.launch(quantizeRows, { x, q, scale });
  else {
    const rowScale = reshape(scale, [scale.shape[1] ?? 0]);
    const args = { x, scale: inputScale, q, rowScale };
    scope.device.launch(quantizeStatic, args, scope.options.quantizeStatic);
  }
  return rows;
}
