/** [runtime/conformance] Products whose kernels write out shared memory, barriers and roles: as they stand where a device has them, made one elsewhere. */
import {
  barrier,
  barrierArrive,
  barrierExpect,
  barrierWait,
  cast,
  cdiv,
  copyAsync,
  type DType,
  dotAsync,
  dotWait,
  kernel,
  load,
  loadSlot,
  out,
  pid,
  programs,
  range,
  roles,
  shared,
  silu,
  slot,
  slotBytes,
  span,
  store,
  sum,
  swizzle2d,
  tensor,
  tile,
  zeros,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, randomTensorOf } from "./case.ts";

/** silu(x · wᵀ + bias), one dot always in flight, over all programs that a block takes. */
const walked = kernel(
  {
    name: "roles_walked",
    dtypes: { T: ["f32", "f16", "bf16"], O: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "M", "K"),
      w: tensor("T", "N", "K"),
      bias: tensor("f32", "N"),
      y: out("O", "M", "N"),
    },
    config: { BM: 64, BN: 64, BK: 64, stages: 3, consumers: 1 },
    grid: ({ M, N }, { BM, BN }) => cdiv(M, BM) * cdiv(N, BN),
  },
  ({ x, w, bias, y, M, N, K, T, O }, { BM, BN, BK, stages, consumers }) => {
    const xs = shared([BM, BK], T, { stages });
    const ws = shared([BN, BK], T, { stages });
    const full = barrier({ stages });
    const empty = barrier({ stages, arrivals: consumers });
    roles(
      {
        producer: () => {
          let n = 0;
          for (const p of programs()) {
            const [pm, pn] = swizzle2d(p, cdiv(M, BM), cdiv(N, BN), 2);
            for (const k of range(0, K, BK)) {
              barrierWait(empty, n - stages);
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
            const [pm, pn] = swizzle2d(p, cdiv(M, BM), cdiv(N, BN), 2);
            const b = load(bias, [tile(pn, BN)]);
            let acc = zeros("f32", BM, BN);
            for (const k of range(0, K, BK)) {
              barrierWait(full, n);
              acc = dotAsync(slot(xs, n), slot(ws, n), acc);
              dotWait(1);
              if (k > 0) barrierArrive(empty, n - 1);
              n += 1;
            }
            acc = dotWait(0, acc);
            if (K > 0) barrierArrive(empty, n - 1);
            store(y, [tile(pm, BM), tile(pn, BN)], cast(silu(acc + b), O));
          }
        },
      },
      { warpgroups: consumers, registers: { producer: 40, consumer: 232 } },
    );
  },
);

/** x · wᵀ, a program a block on a grid of two axes: the rows of x are copied once for all trips, those of w into a ring of one slot. */
const held = kernel(
  {
    name: "roles_held",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "M", "K"), w: tensor("T", "N", "K"), y: out("f32", "M", "N") },
    config: { BM: 64, BN: 32, BK: 64, blocks: 3 },
    grid: ({ M, N }, { BM, BN, blocks }) => [cdiv(N, BN * blocks), cdiv(M, BM)],
  },
  ({ x, w, y, T }, { BM, BN, BK, blocks }) => {
    const xs = shared([BM, BK], T);
    const ws = shared([BN, BK], T);
    const ready = barrier();
    const full = barrier();
    const empty = barrier();
    roles({
      producer: () => {
        barrierExpect(ready, 0, slotBytes(xs));
        copyAsync(x, [tile(pid(1), BM), span(0, BK)], xs, 0, ready);
        for (const i of range(blocks)) {
          barrierWait(empty, i - 1);
          barrierExpect(full, i, slotBytes(ws));
          copyAsync(w, [tile(pid(0) * blocks + i, BN), span(0, BK)], ws, i, full);
        }
      },
      consumer: () => {
        barrierWait(ready, 0);
        for (const i of range(blocks)) {
          barrierWait(full, i);
          const sum = dotWait(0, dotAsync(slot(xs, 0), slot(ws, i)));
          barrierArrive(empty, i);
          store(y, [tile(pid(1), BM), tile(pid(0) * blocks + i, BN)], sum);
        }
      },
    });
  },
);

/** Σ x² of each row and the rows themselves, doubled: slots are read into registers, by two warpgroups. */
const rows = kernel(
  {
    name: "roles_rows",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "M", "K"), y: out("f32", "M"), twice: out("T", "M", "K") },
    config: { BM: 32, BK: 32, stages: 3, groups: 2 },
    grid: ({ M }, { BM }) => cdiv(M, BM),
  },
  ({ x, y, twice, K, T }, { BM, BK, stages, groups }) => {
    const xs = shared([BM, BK], T, { stages });
    const full = barrier({ stages });
    const empty = barrier({ stages, arrivals: groups });
    roles(
      {
        producer: () => {
          let n = 0;
          for (const p of programs())
            for (const k of range(0, K, BK)) {
              barrierWait(empty, n - stages);
              barrierExpect(full, n, slotBytes(xs));
              copyAsync(x, [tile(p, BM), span(k, BK)], xs, n, full);
              n += 1;
            }
        },
        consumer: () => {
          let n = 0;
          for (const p of programs()) {
            let squares = zeros("f32", BM);
            for (const k of range(0, K, BK)) {
              barrierWait(full, n);
              const v = cast(slot(xs, n), "f32");
              barrierArrive(empty, n);
              squares += sum(v * v, "BK");
              store(twice, [tile(p, BM), span(k, BK)], cast(v * 2, T));
              n += 1;
            }
            store(y, [tile(p, BM)], squares);
          }
        },
      },
      { warpgroups: groups },
    );
  },
);

/** x · wᵀ of bytes and floats: the rows are converted in registers, where the products read them. */
const converted = kernel(
  {
    name: "roles_converted",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: { x: tensor("i8", "M", "K"), w: tensor("T", "N", "K"), y: out("f32", "M", "N") },
    config: { BM: 128, BN: 32, BK: 64, stages: 2, consumers: 2 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ x, w, y, K, T }, { BM, BN, BK, stages, consumers }) => {
    const xs = shared([BM, BK], "i8", { stages });
    const ws = shared([BN, BK], T, { stages });
    const full = barrier({ stages });
    const empty = barrier({ stages, arrivals: consumers });
    roles(
      {
        producer: () => {
          let n = 0;
          for (const k of range(0, K, BK)) {
            barrierWait(empty, n - stages);
            barrierExpect(full, n, slotBytes(xs) + slotBytes(ws));
            copyAsync(x, [tile(pid(0), BM), span(k, BK)], xs, n, full);
            copyAsync(w, [tile(pid(1), BN), span(k, BK)], ws, n, full);
            n += 1;
          }
        },
        consumer: () => {
          let n = 0;
          let acc = zeros("f32", BM, BN);
          for (const k of range(0, K, BK)) {
            barrierWait(full, n);
            const rows = cast(loadSlot(xs, n), T) * cast(0.5, T);
            acc = dotAsync(rows, slot(ws, n), acc);
            dotWait(1);
            if (k > 0) barrierArrive(empty, n - 1);
            n += 1;
          }
          store(y, [tile(pid(0), BM), tile(pid(1), BN)], dotWait(0, acc));
        },
      },
      { warpgroups: consumers },
    );
  },
);

type Sizes = readonly [m: number, n: number, k: number];

function walkedCase(
  config: Readonly<Record<string, number>>,
  [m, n, k]: Sizes,
  [T, O]: readonly [DType, DType],
): CaseSpec {
  return {
    name: `${m} × ${n} × ${k} in ${config["BM"]} × ${config["BN"]} × ${config["BK"]}, ${T} to ${O}`,
    kernel: walked,
    dtypes: { T, O },
    config,
    tensors: {
      x: randomTensorOf(T, [m, k], 31),
      w: randomTensorOf(T, [n, k], 32),
      bias: randomTensorOf("f32", [n], 33),
      y: outputOf(O, [m, n]),
    },
    tolerance: { y: { kind: "rounding", length: k + 8, inner: O, scale: k } },
  };
}

function heldCase([m, n, k]: Sizes, T: DType): CaseSpec {
  return {
    name: `${m} × ${n} × ${k}, ${T}`,
    kernel: held,
    dtypes: { T },
    tensors: {
      x: randomTensorOf(T, [m, k], 34),
      w: randomTensorOf(T, [n, k], 35),
      y: outputOf("f32", [m, n]),
    },
    tolerance: { y: { kind: "rounding", length: k, inner: "f32", scale: k } },
  };
}

export const rolesCases = defineCases("roles", [
  walkedCase(
    { BM: 128, BN: 64, BK: 64, stages: 4, consumers: 2 },
    [130, 72, 328],
    ["bf16", "bf16"],
  ),
  walkedCase({ BM: 192, BN: 48, BK: 64, stages: 3, consumers: 3 }, [193, 56, 200], ["f16", "f16"]),
  walkedCase({ BM: 64, BN: 96, BK: 32, stages: 3, consumers: 1 }, [129, 104, 96], ["f16", "f32"]),
  walkedCase({ BM: 64, BN: 64, BK: 64, stages: 2, consumers: 1 }, [65, 8, 0], ["bf16", "f32"]),
  // Made one everywhere: no product of wgmma's.
  walkedCase({ BM: 16, BN: 32, BK: 16, stages: 2, consumers: 1 }, [37, 50, 70], ["f32", "f32"]),
  heldCase([66, 104, 56], "f16"),
  {
    name: "130 × 40 × 176, i8 and f16",
    kernel: converted,
    dtypes: { T: "f16" },
    tensors: {
      x: randomTensorOf("i8", [130, 176], 37),
      w: randomTensorOf("f16", [40, 176], 38),
      y: outputOf("f32", [130, 40]),
    },
    tolerance: { y: { kind: "rounding", length: 176, inner: "f32", scale: 176 * 64 } },
  },
  {
    name: "100 × 136, f16",
    kernel: rows,
    dtypes: { T: "f16" },
    tensors: {
      x: randomTensorOf("f16", [100, 136], 36),
      y: outputOf("f32", [100]),
      twice: outputOf("f16", [100, 136]),
    },
    tolerance: { y: { kind: "rounding", length: 136, inner: "f32", scale: 136 * 4 } },
  },
]);
