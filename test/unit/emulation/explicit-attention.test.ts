/** [test/unit/emulation] Attention in the third tier as text for sm_90a, run on the CPU: two products in flight, rows of one in registers. */
import { describe, expect, it } from "vitest";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { explicitAttention } from "../../../examples/20-explicit-attention.ts";
import { noise } from "../../../examples/example.ts";
import { readTensor, tensorFrom } from "../../../index.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";

const emulation = openEmulation();

interface Sizes {
  readonly B: number;
  readonly L: number;
  readonly LK: number;
  readonly HQ: number;
  readonly HKV: number;
  readonly D: number;
}

describe.skipIf("reason" in emulation)("explicit attention", () => {
  it.each([
    [
      "causal, ragged, groups of heads",
      "sm_90a",
      { B: 1, L: 150, LK: 171, HQ: 2, HKV: 1, D: 64 },
      { CAUSAL: 1, BM: 128, BN: 64 },
    ],
    [
      "all keys, head dim 128",
      "sm_90a",
      { B: 2, L: 65, LK: 200, HQ: 1, HKV: 1, D: 128 },
      { CAUSAL: 0, BM: 64, BN: 64, consumers: 1 },
    ],
    [
      "roles made one",
      "sm_80",
      { B: 1, L: 37, LK: 70, HQ: 1, HKV: 1, D: 32 },
      { CAUSAL: 1, BM: 16, BN: 16, consumers: 1 },
    ],
    [
      "more rounds than one",
      "sm_90a",
      { B: 2, L: 300, LK: 300, HQ: 2, HKV: 2, D: 32 },
      { CAUSAL: 1, BM: 64, BN: 32, consumers: 1 },
    ],
  ] as const)("%s on %s", async (_, arch, sizes: Sizes, config) => {
    if ("reason" in emulation) throw new Error(emulation.reason);
    const { B, L, LK, HQ, HKV, D } = sizes;
    const device = new CoreDevice(new EmulatedBackend(emulation, { target: cudaSpec(arch) }));
    const q = tensorFrom(device, "bf16", [B, L, HQ, D], noise(B * L * HQ * D, 1));
    const k = tensorFrom(device, "bf16", [B, LK, HKV, D], noise(B * LK * HKV * D, 2));
    const v = tensorFrom(device, "bf16", [B, LK, HKV, D], noise(B * LK * HKV * D, 3));
    const o = tensorFrom(device, "bf16", [B, L, HQ, D], new Float32Array(B * L * HQ * D).fill(7));
    const scale = 2;
    device.launch(explicitAttention, { q, k, v, o, scale }, { config });
    const [qs, ks, vs] = [await readTensor(q), await readTensor(k), await readTensor(v)];
    let worst = 0;
    const seen = await readTensor(o);
    for (let b = 0; b < B; b++)
      for (let i = 0; i < L; i++)
        for (let h = 0; h < HQ; h++) {
          const kv = Math.floor(h / (HQ / HKV));
          const end = config.CAUSAL === 1 ? LK - L + i + 1 : LK;
          const at = (c: number) => (b * L + i) * HQ * D + h * D + c;
          const key = (j: number, c: number) => ((b * LK + j) * HKV + kv) * D + c;
          const scores = Array.from({ length: end }, (_, j) => {
            let sum = 0;
            for (let c = 0; c < D; c++) sum += (qs[at(c)] ?? 0) * (ks[key(j, c)] ?? 0);
            return sum * scale;
          });
          const top = Math.max(...scores);
          const weights = scores.map((s) => Math.exp(s - top));
          const all = weights.reduce((x, y) => x + y, 0);
          for (let c = 0; c < D; c++) {
            const wanted = weights.reduce((x, w, j) => x + w * (vs[key(j, c)] ?? 0), 0) / all;
            worst = Math.max(worst, Math.abs((seen[at(c)] ?? Number.NaN) - wanted));
          }
        }
    expect(worst).toBeLessThan(0.02);
  });
});
