/** [examples] 20: attention written by hand: two products in flight, the second one's rows in registers, under the softmax of the next block of keys. */
import {
  all,
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
  exp2,
  floordiv,
  full,
  ifAny,
  iota,
  kernel,
  loadSlot,
  max,
  maximum,
  minimum,
  mod,
  out,
  programs,
  range,
  readTensor,
  roles,
  scalar,
  shared,
  slot,
  slotBytes,
  span,
  store,
  sum,
  TARGETS,
  tensor,
  tensorFrom,
  where,
  zeros,
} from "../index.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/** Start of the running maximum: finite, so that a row without keys gives no NaN. */
const LOWEST = -1e30;
/** Sums are scaled anew only where a maximum grew by more than this power of two. */
const GROWTH = 8;

/** What a row carries from one block of keys to the next: maximum, sum of weights and of weighted values, and the weights that are still to be multiplied. */
interface State {
  readonly m: number;
  readonly l: number;
  readonly acc: number;
  readonly weights: number;
}

/**
 * o = softmax(q · kᵀ · scale) · v, causal or not; query i stands at position LK - L + i. Blocks of keys are numbered by `n` over all programs that a
 * block takes, programs by `t`. Both roles go through a program's keys one step apart: the keys of a trip come with the values of the trip before, and
 * while the softmax of a trip runs, the tensor core adds up the values of the one before, whose weights are in registers.
 *
 * As written on sm_90a, where rows start at multiples of 16 bytes (D is fixed, so `--dim D=128` says it); made one role elsewhere.
 */
export const explicitAttention = kernel(
  {
    name: "explicit_attention",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "B", "L", "HQ", "D"),
      k: tensor("T", "B", "LK", "HKV", "D"),
      v: tensor("T", "B", "LK", "HKV", "D"),
      o: out("T", "B", "L", "HQ", "D"),
      scale: scalar("f32"),
    },
    config: { BM: 128, BN: 128, stages: 2, consumers: 2, CAUSAL: 1 },
    specialize: ["D"],
    grid: ({ L, HQ, B }, { BM }) => [HQ, cdiv(L, BM), B],
  },
  ({ q, k, v, o, scale, L, LK, HQ, HKV, D, T }, { BM, BN, stages, consumers, CAUSAL }) => {
    const qs = shared([BM, D], T);
    const ks = shared([BN, D], T, { stages });
    const vs = shared([BN, D], T, { stages });
    const rowsFull = barrier();
    const rowsEmpty = barrier({ arrivals: consumers });
    const keysFull = barrier({ stages });
    const keysEmpty = barrier({ stages, arrivals: consumers });
    const valuesFull = barrier({ stages });
    const valuesEmpty = barrier({ stages, arrivals: consumers });
    const c = scale * Math.LOG2E;
    /** What program p is: heads fastest, the rows that see most keys first; where its keys end, and where those begin that a mask cuts. */
    const place = (p: number) => {
      const h = mod(p, HQ);
      const blocks = cdiv(L, BM);
      const m0 = (blocks - 1 - mod(floordiv(p, HQ), blocks)) * BM;
      const first = LK - L + m0;
      const end = maximum(CAUSAL === 1 ? minimum(LK, first + BM) : LK, 1);
      const whole = CAUSAL === 1 ? minimum(LK, first + 1) : LK;
      const cut = maximum(floordiv(whole, BN) * BN, BN);
      return {
        b: floordiv(p, HQ * blocks),
        h,
        kv: floordiv(h, floordiv(HQ, HKV)),
        m0,
        first,
        end,
        cut,
      };
    };
    roles(
      {
        producer: () => {
          let n = 0;
          let t = 0;
          for (const p of programs({ counted: true })) {
            const { b, h, kv, m0, end, cut } = place(p);
            const keys = (use: number, from: number) => {
              barrierWait(keysEmpty, use - stages);
              barrierExpect(keysFull, use, slotBytes(ks));
              copyAsync(k, [b, span(from, BN), kv, all(D)], ks, use, keysFull);
            };
            const values = (use: number, from: number) => {
              barrierWait(valuesEmpty, use - stages);
              barrierExpect(valuesFull, use, slotBytes(vs));
              copyAsync(v, [b, span(from, BN), kv, all(D)], vs, use, valuesFull);
            };
            barrierWait(rowsEmpty, t - 1);
            barrierExpect(rowsFull, t, slotBytes(qs));
            copyAsync(q, [b, span(m0, BM), h, all(D)], qs, t, rowsFull);
            keys(n, 0);
            for (const from of range(BN, minimum(cut, end), BN)) {
              keys(n + 1, from);
              values(n, from - BN);
              n += 1;
            }
            for (const from of range(cut, end, BN)) {
              keys(n + 1, from);
              values(n, from - BN);
              n += 1;
            }
            values(n, cdiv(end, BN) * BN - BN);
            n += 1;
            t += 1;
          }
        },
        consumer: () => {
          let n = 0;
          let t = 0;
          for (const p of programs({ counted: true })) {
            const { b, h, m0, first, end, cut } = place(p);
            const qpos = first + iota(BM);
            const mask = (scores: number, from: number) => {
              const kpos = from + iota(BN);
              return where(CAUSAL === 1 ? kpos <= qpos : kpos < LK, scores, -Infinity);
            };
            /** The maximum of the rows so far, by how much their sums shrink, and the weights of a block of keys. */
            const soften = (scores: number, m: number, l: number) => {
              const top = maximum(m, max(scores, "BN"));
              const grew = (top - m) * c > GROWTH;
              const now = ifAny(
                grew,
                "BM",
                () => {
                  const next = where(grew, top, m);
                  const shrunk = exp2((m - next) * c);
                  return { m: next, l: l * shrunk, alpha: shrunk };
                },
                { m, l, alpha: full("f32", 1, BM) },
              );
              const w = exp2(scores * c - now.m * c);
              return { w, grew, m: now.m, l: now.l + sum(w, "BN"), alpha: now.alpha };
            };
            barrierWait(rowsFull, t);
            // In registers, for all trips: the next program's may come.
            const qt = loadSlot(qs, t);
            barrierArrive(rowsEmpty, t);
            barrierWait(keysFull, n);
            const scores = dotWait(0, dotAsync(qt, slot(ks, n)));
            barrierArrive(keysEmpty, n);
            const begun = soften(mask(scores, 0), full("f32", LOWEST, BM), zeros("f32", BM));
            let state: State = {
              m: begun.m,
              l: begun.l,
              weights: cast(begun.w, T),
              acc: zeros("f32", BM, D),
            };
            const trip = (
              n: number,
              from: number,
              isCut: boolean,
              { weights, m, l, acc }: State,
            ) => {
              barrierWait(keysFull, n + 1);
              const started = dotAsync(qt, slot(ks, n + 1));
              barrierWait(valuesFull, n);
              const adding = dotAsync(weights, slot(vs, n), acc);
              const seen = dotWait(1, started);
              barrierArrive(keysEmpty, n + 1);
              const next = soften(isCut ? mask(seen, from) : seen, m, l);
              const added = dotWait(0, adding);
              barrierArrive(valuesEmpty, n);
              const scaled = ifAny(next.grew, "BM", () => added * next.alpha, added);
              return { weights: cast(next.w, T), m: next.m, l: next.l, acc: scaled };
            };
            for (const from of range(BN, minimum(cut, end), BN)) {
              state = trip(n, from, false, state);
              n += 1;
            }
            for (const from of range(cut, end, BN)) {
              state = trip(n, from, true, state);
              n += 1;
            }
            barrierWait(valuesFull, n);
            const acc = dotWait(0, dotAsync(state.weights, slot(vs, n), state.acc));
            barrierArrive(valuesEmpty, n);
            store(o, [b, span(m0, BM), h, all(D)], cast(acc * (1 / maximum(state.l, 1e-30)), T));
            n += 1;
            t += 1;
          }
        },
      },
      { warpgroups: consumers, registers: { producer: 40, consumer: 232 } },
    );
  },
);

/** What a launch of bf16 tensors on a Hopper card would compile. */
function hopper() {
  return compile(explicitAttention, {
    specialization: { dtypes: { T: "bf16" }, dims: { D: 128 } },
    target: TARGETS.cuda.defaultSpec("sm_90a"),
  });
}

/** Attention of one head, by its definition. */
function naively(
  [q, k, v]: readonly (readonly number[][])[],
  scale: number,
  isCausal: boolean,
): readonly (readonly number[])[] {
  const past = (k?.length ?? 0) - (q?.length ?? 0);
  return (q ?? []).map((row, i) => {
    const keys = (k ?? []).slice(0, isCausal ? past + i + 1 : undefined);
    const weights = keys.map((key) =>
      Math.exp(scale * key.reduce((sum, x, c) => sum + x * (row[c] ?? 0), 0)),
    );
    const all = weights.reduce((sum, w) => sum + w, 0);
    return row.map((_, c) => weights.reduce((sum, w, j) => sum + w * (v?.[j]?.[c] ?? 0), 0) / all);
  });
}

export const main: Example = async (device) => {
  // On sm_90a the roles are what they say: the second product takes its rows from registers, and no warp stands in another's way.
  const { text } = hopper();
  for (const name of ["wgmma_m64n128k16_f32_bf16_ra", "wgmma_wait<1>", "tma_load_4d"])
    if (!text.includes(name)) throw new Error(`the text for sm_90a has no ${name}`);

  // Elsewhere they are made one, and attention is the same.
  const [B, L, LK, HQ, HKV, D] = [1, 21, 30, 2, 1, 16];
  const rows = [
    noise(B * L * HQ * D, 51),
    noise(B * LK * HKV * D, 52),
    noise(B * LK * HKV * D, 53),
  ];
  const [q = [], k = [], v = []] = rows;
  const args = {
    q: tensorFrom(device, "f32", [B, L, HQ, D], q),
    k: tensorFrom(device, "f32", [B, LK, HKV, D], k),
    v: tensorFrom(device, "f32", [B, LK, HKV, D], v),
    o: emptyTensor(device, "f32", [B, L, HQ, D]),
    scale: 1 / Math.sqrt(D),
  };
  const tile = (data: ArrayLike<number>, length: number, heads: number, h: number) =>
    Array.from({ length }, (_, i) =>
      Array.from({ length: D }, (_c, c) => data[(i * heads + h) * D + c] ?? 0),
    );
  for (const CAUSAL of [1, 0]) {
    device.launch(explicitAttention, args, { config: { BM: 8, BN: 8, consumers: 1, CAUSAL } });
    const heads = [0, 1].map((h) =>
      naively(
        [tile(q, L, HQ, h), tile(k, LK, HKV, 0), tile(v, LK, HKV, 0)],
        args.scale,
        CAUSAL === 1,
      ),
    );
    const expected = Array.from({ length: L }, (_, i) => heads.flatMap((head) => head[i] ?? []));
    const name = CAUSAL === 1 ? "explicit attention, causal" : "explicit attention, all keys";
    check(name, await readTensor(args.o), expected.flat(), 1e-4);
  }
};

await runByHand(import.meta.url, main);
