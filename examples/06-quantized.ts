/** [examples] 6: weights in 4 bits. `dequant` makes numbers of codes inside the loop; the compiler chooses the order in which codes lie. */
import {
  cdiv,
  dequant,
  dot,
  emptyTensor,
  floordiv,
  kernel,
  load,
  out,
  packArguments,
  packed,
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
import { product } from "./04-matmul.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/** The code that means 0. */
const ZERO = 8;

/**
 * y = x · ((w - 8) · scale)ᵀ. Each row of w has KG scales, one for each K / KG columns. `packed` leaves the order of w in memory to the
 * compiler; the body does not change with it.
 */
export const product4 = kernel(
  {
    name: "product_4_bits",
    params: {
      x: tensor("f32", "M", "K"),
      w: packed("u4", "N", "K"),
      scale: tensor("f32", "KG", "N"),
      y: out("f32", "M", "N"),
    },
    config: { BM: 16, BN: 32, BK: 32 },
    specialize: ["K", "KG"],
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ x, w, scale, y, K, KG }, { BM, BN, BK }) => {
    const [rows, columns] = [tile(pid(0), BM), tile(pid(1), BN)];
    let sum = zeros("f32", BM, BN);
    for (const k of range(0, K, BK)) {
      const group = load(scale, [floordiv(k, K / KG), columns]);
      const weight = dequant(load(w, [columns, span(k, BK)]), group, { zero: ZERO, to: "f32" });
      sum = dot(load(x, [rows, span(k, BK)]), weight, sum);
    }
    store(y, [rows, columns], sum);
  },
);

export const main: Example = async (device) => {
  const [M, N, K, KG] = [5, 48, 128, 2];
  const x = noise(M * K, 6);
  const codes = noise(N * K, 7).map((value) => Math.floor((value + 1) * 8)); // 0 … 15
  const scales = noise(KG * N, 8).map((value) => 0.01 + 0.01 * Math.abs(value));
  const weight = codes.map((code, i) => {
    const [n, k] = [Math.floor(i / K), i % K];
    return (code - ZERO) * (scales[Math.floor(k / (K / KG)) * N + n] ?? 0);
  });
  const y = emptyTensor(device, "f32", [M, N]);
  const plain = {
    x: tensorFrom(device, "f32", [M, K], x),
    w: tensorFrom(device, "u4", [N, K], codes),
    scale: tensorFrom(device, "f32", [KG, N], scales),
    y,
  };
  const expected = product(x, weight, { M, N, K });
  device.launch(product4, plain); // row-major codes work too
  check("x · wᵀ, codes in rows", await readTensor(y), expected);
  device.launch(product4, packArguments(device, product4, plain)); // once for all launches
  check("x · wᵀ, codes packed", await readTensor(y), expected);
};

await runByHand(import.meta.url, main);
