/** [dsl/kernels] gelu in double precision, for the references of its kernels; nothing of it is compiled. */

/** @source arXiv 1606.08415, section 2 */
export function tanhGelu(x: number): number {
  return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

export function exactGelu(x: number): number {
  return 0.5 * x * (1 + errorFunction(x / Math.SQRT2));
}

/** erf by its Taylor series; beyond 4 it is ±1 to more digits than an f32 has. */
function errorFunction(x: number): number {
  if (Math.abs(x) > 4) return Math.sign(x);
  let term = x;
  let total = x;
  for (let n = 1; n < 80; n++) {
    term *= (-x * x) / n;
    total += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * total;
}
