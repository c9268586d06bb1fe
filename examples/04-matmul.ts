/** [examples] 4: a matrix product. Loops, accumulators, an epilogue given by the caller, and tile sizes as config. */
import {
  cdiv,
  deviceFunction,
  dot,
  emptyTensor,
  fnParam,
  kernel,
  load,
  maximum,
  out,
  pid,
  range,
  readTensor,
  span,
  store,
  tensor,
  tensorFrom,
  tile,
  zeros,
} from "../index.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/**
 * y = epilogue(x · wᵀ). Axes have names: `dot` contracts the one that both tiles have, BK, so nothing is transposed. `stages` lets copies
 * run that many trips ahead where a target can. Nothing here says tensor core, shared memory or barrier; example 5 looks at them.
 */
export const matmul = kernel(
  {
    name: "matmul",
    params: {
      x: tensor("f32", "M", "K"),
      w: tensor("f32", "N", "K"),
      y: out("f32", "M", "N"),
      epilogue: fnParam((v: number) => v),
    },
    config: { BM: 32, BN: 32, BK: 16, stages: 2 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ x, w, y, epilogue, K }, { BM, BN, BK, stages }) => {
    const [rows, columns] = [tile(pid(0), BM), tile(pid(1), BN)];
    let sum = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages }))
      sum = dot(load(x, [rows, span(k, BK)]), load(w, [columns, span(k, BK)]), sum);
    store(y, [rows, columns], epilogue(sum));
  },
);

/** Given for `epilogue`: compiled into the kernel, not called. */
export const rectify = deviceFunction((v: number) => maximum(v, 0));

/** y[m][n] = Σ x[m][k] · w[n][k] on plain numbers. */
export function product(
  x: Float32Array,
  w: Float32Array,
  { M, N, K }: { readonly M: number; readonly N: number; readonly K: number },
): Float32Array {
  return Float32Array.from({ length: M * N }, (_, i) => {
    const [m, n] = [Math.floor(i / N), i % N];
    let total = 0;
    for (let k = 0; k < K; k++) total += (x[m * K + k] ?? 0) * (w[n * K + k] ?? 0);
    return total;
  });
}

export const main: Example = async (device) => {
  const sizes = { M: 45, N: 70, K: 37 }; // no multiple of any block
  const { M, N, K } = sizes;
  const [x, w] = [noise(M * K, 4), noise(N * K, 5)];
  const y = emptyTensor(device, "f32", [M, N]);
  const args = {
    x: tensorFrom(device, "f32", [M, K], x),
    w: tensorFrom(device, "f32", [N, K], w),
    y,
  };
  const expected = product(x, w, sizes);
  device.launch(matmul, args);
  check("x · wᵀ", await readTensor(y), expected);
  device.launch(matmul, args, { functions: { epilogue: rectify } });
  check(
    "max(x · wᵀ, 0)",
    await readTensor(y),
    expected.map((value) => Math.max(value, 0)),
  );
  device.launch(matmul, args, { config: { BM: 16, BN: 64, BK: 8 } });
  check("x · wᵀ in blocks of 16 × 64", await readTensor(y), expected);
};

await runByHand(import.meta.url, main);
