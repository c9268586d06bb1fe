/** [test/unit/codegen] Loops with stages compute what plain loops do, for every trip count around the number of stages, on threads of every kind. */
import { describe, expect, it } from "vitest";
import { runTextOnThreads, THREAD_TARGET_NAMES } from "../../../support/run-threads.ts";
import { runText } from "../../../support/run-tile-ir.ts";

/** Small integers: sums are exact in every order and dtype. */
function values(count: number, seed: number): number[] {
  return Array.from({ length: count }, (_, i) => ((i * 7 + seed) % 5) - 2);
}

/** Copies to shared memory, with rows picked by a table that is loaded in the loop. */
function gatheredGemm(dtype: string, stages: number): string {
  return `kernel gemm(
  a: in ${dtype}[M, K],
  t: in i32[K],
  b: in ${dtype}[K, N=16],
  c: out f32[M, N=16],
) dims(M, K) fixed(N=16) {
  %z.0: i32 = const 0
  %k.1: i32 = dim K
  %s.2: i32 = const 16
  %o.3: f32[BM=16, BN=16] = const 0
  %r.4: f32[BM=16, BN=16] = for %i.5: i32 = %z.0 to %k.1 step %s.2 carry (%c.6: f32[BM=16, BN=16] = %o.3) stages ${stages} {
    %t.7: i32[BK=16] = load t[span BK=16 from %i.5] fill -1
    %a.8: ${dtype}[BM=16, BK=16] = load a[span BM=16 from %z.0, span BK=16 from %i.5] fill 0
    %b.9: ${dtype}[BK=16, BN=16] = load b[gather %t.7, span BN=16 from %z.0] fill 0
    %d.10: f32[BM=16, BN=16] = dot %a.8, %b.9 over BK acc %c.6
    yield %d.10
  }
  store c[span BM=16 from %z.0, span BN=16 from %z.0] = %r.4
}
`;
}

/** Loads to registers. */
function rowSums(stages: number): string {
  return `kernel sums(
  x: in f32[R, K],
  y: out f32[R],
) dims(R, K) {
  %z.0: i32 = const 0
  %k.1: i32 = dim K
  %s.2: i32 = const 16
  %o.3: f32[BR=4] = const 0
  %r.4: f32[BR=4] = for %i.5: i32 = %z.0 to %k.1 step %s.2 carry (%c.6: f32[BR=4] = %o.3) stages ${stages} {
    %x.7: f32[BR=4, BK=16] = load x[span BR=4 from %z.0, span BK=16 from %i.5] fill 0 evict first
    %t.8: f32[BR=4] = reduce sum %x.7 over BK
    %d.9: f32[BR=4] = add %c.6, %t.8
    yield %d.9
  }
  store y[span BR=4 from %z.0] = %r.4
}
`;
}

const STAGES = [1, 2, 3, 4];
const TRIPS = [0, 1, 3, 5];

describe("pipelined loops", () => {
  it.each(STAGES)("copy ahead in %i stages", (stages) => {
    for (const dtype of ["f16", "f32"]) {
      const text = gatheredGemm(dtype, stages);
      for (const trips of TRIPS) {
        // The last trip is ragged.
        const k = Math.max(0, trips * 16 - 3);
        const tensors = {
          a: { shape: [10, k], values: values(10 * k, 1) },
          t: {
            shape: [k],
            values: Array.from({ length: k }, (_, i) => (i % 6 === 5 ? -1 : (i * 5) % k)),
          },
          b: { shape: [k, 16], values: values(k * 16, 2) },
          c: { shape: [10, 16] },
        };
        const want = runText(text, { tensors });
        for (const name of THREAD_TARGET_NAMES) {
          const { outputs, problems } = runTextOnThreads(text, { tensors }, name);
          const what = `${dtype}, ${trips} trips, ${name}`;
          expect(problems, what).toEqual([]);
          expect(outputs["c"], what).toEqual(want["c"]);
        }
      }
    }
  });

  it.each(STAGES)("load registers ahead in %i stages", (stages) => {
    const text = rowSums(stages);
    for (const trips of TRIPS) {
      const k = Math.max(0, trips * 16 - 5);
      const tensors = { x: { shape: [3, k], values: values(3 * k, 3) }, y: { shape: [3] } };
      const want = runText(text, { tensors });
      for (const name of THREAD_TARGET_NAMES) {
        const { outputs, problems } = runTextOnThreads(text, { tensors }, name);
        expect(problems, `${trips} trips, ${name}`).toEqual([]);
        expect(outputs["y"], `${trips} trips, ${name}`).toEqual(want["y"]);
      }
    }
  });
});
