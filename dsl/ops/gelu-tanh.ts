/** [dsl/ops] geluTanh: the tanh approximation of gelu, from primitives. */
import { defineOp, type FloatFace } from "./define-op.ts";

const CUBIC = 0.044715;
const SCALE = Math.sqrt(2 / Math.PI);

/**
 * 0.5 * x * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3))). Floats, elementwise. Also fit for a `fnParam`.
 * @source arXiv 1606.08415, section 2
 */
export const geluTanh = defineOp<FloatFace<"geluTanh">>({
  name: "geluTanh",
  signature: "geluTanh(x)",
  doc: "The tanh approximation of gelu.",
  lower: (call) => {
    const x = call.float("x");
    const cube = call.binary(
      "mul",
      call.binary("mul", x, x),
      call.binary("mul", x, call.number(CUBIC)),
    );
    const bent = call.unary(
      "tanh",
      call.binary("mul", call.binary("add", x, cube), call.number(SCALE)),
    );
    const half = call.binary("mul", x, call.number(0.5));
    return call.binary("mul", half, call.binary("add", bent, call.number(1)));
  },
});
