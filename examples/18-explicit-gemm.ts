/** [examples] 18: a matrix product written by hand: shared memory, barriers, copies and dots that run asynchronously, a thread that copies and warpgroups that multiply. */
import {
  barrier,
  barrierArrive,
  barrierExpect,
  barrierWait,
  cast,
  cdiv,
  compile,
  copyAsync,
  dotAsync,
  dotWait,
  emptyTensor,
  kernel,
  out,
  programs,
  range,
  readTensor,
  roles,
  shared,
  slot,
  slotBytes,
  span,
  store,
  swizzle2d,
  TARGETS,
  tensor,
  tensorFrom,
  tile,
  zeros,
} from "../index.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/**
 * y = x · wᵀ. Two rings of `stages` tiles lie in shared memory. Trips are numbered by `n`, over all programs that a block takes, and use n of a ring
 * is its slot n mod stages: `full` says that the copies of a trip are there, `empty` that its tiles are no longer read.
 *
 * Roles run side by side on sm_90a, where rows start at multiples of 16 bytes. A launch finds that out from its tensors; a compile by itself is told:
 * `tilewright compile examples/18-explicit-gemm.ts --dtype T=bf16 --arch sm_90a --divisible K=8 --divisible N=8`. Without, they are
 * made one, and `--emit explain` says why.
 */
export const explicitGemm = kernel(
  {
    name: "explicit_gemm",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "M", "K"), w: tensor("T", "N", "K"), y: out("T", "M", "N") },
    config: { BM: 128, BN: 256, BK: 64, stages: 4, consumers: 2, group: 8 },
    grid: ({ M, N }, { BM, BN }) => cdiv(M, BM) * cdiv(N, BN),
  },
  ({ x, w, y, M, N, K, T }, { BM, BN, BK, stages, consumers, group }) => {
    const xs = shared([BM, BK], T, { stages });
    const ws = shared([BN, BK], T, { stages });
    const full = barrier({ stages });
    const empty = barrier({ stages, arrivals: consumers });
    roles(
      {
        producer: () => {
          let n = 0;
          for (const p of programs()) {
            const [pm, pn] = swizzle2d(p, cdiv(M, BM), cdiv(N, BN), group);
            for (const k of range(0, K, BK)) {
              barrierWait(empty, n - stages); // the use before this one of the same slot
              barrierExpect(full, n, slotBytes(xs) + slotBytes(ws));
              copyAsync(x, [tile(pm, BM), span(k, BK)], xs, n, full);
              copyAsync(w, [tile(pn, BN), span(k, BK)], ws, n, full);
              n += 1;
            }
          }
        },
        consumer: () => {
          let n = 0;
          for (const p of programs()) {
            const [pm, pn] = swizzle2d(p, cdiv(M, BM), cdiv(N, BN), group);
            let acc = zeros("f32", BM, BN);
            for (const k of range(0, K, BK)) {
              barrierWait(full, n);
              acc = dotAsync(slot(xs, n), slot(ws, n), acc);
              dotWait(1); // all but the dot just started
              if (k > 0) barrierArrive(empty, n - 1);
              n += 1;
            }
            acc = dotWait(0, acc);
            if (K > 0) barrierArrive(empty, n - 1);
            store(y, [tile(pm, BM), tile(pn, BN)], cast(acc, T));
          }
        },
      },
      { warpgroups: consumers, registers: { producer: 24, consumer: 240 } },
    );
  },
);

/** What a launch of bf16 tensors on a Hopper card would compile. */
function hopper() {
  return compile(explicitGemm, {
    specialization: { dtypes: { T: "bf16" } },
    divisibility: { M: 16, N: 16, K: 16 },
    target: TARGETS.cuda.defaultSpec("sm_90a"),
  });
}

export const main: Example = async (device) => {
  // On sm_90a the roles are what they say: boxes by the copy engine, wgmma, a block that walks over programs.
  const { text } = hopper();
  for (const name of ["tma_load_2d", "wgmma_m64n256k16", "mbarrier_wait"])
    if (!text.includes(name)) throw new Error(`the text for sm_90a has no ${name}`);

  // Elsewhere they are made one, and the product is the same.
  const [M, N, K] = [40, 24, 52];
  const [x, w] = [noise(M * K, 41), noise(N * K, 42)];
  const y = emptyTensor(device, "f32", [M, N]);
  const operands = {
    x: tensorFrom(device, "f32", [M, K], x),
    w: tensorFrom(device, "f32", [N, K], w),
  };
  const config = { BM: 16, BN: 16, BK: 16, stages: 2 };
  device.launch(explicitGemm, { ...operands, y }, { config });
  const expected = Array.from({ length: M * N }, (_, i) => {
    const [row, column] = [Math.floor(i / N), i % N];
    let sum = 0;
    for (let k = 0; k < K; k++) sum += (x[row * K + k] ?? 0) * (w[column * K + k] ?? 0);
    return sum;
  });
  check("explicit product", await readTensor(y), expected, 1e-4);
};

await runByHand(import.meta.url, main);
