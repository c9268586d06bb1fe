/** [test/errors/cases] TW1211: a scale that does not fit its groups. */
import { dequant, kernel, load, lowerKernel, print, tensor, tile } from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: { w: tensor("u4", "N", "K"), s: tensor("f16", "N", "G"), z: tensor("u4", "N", "G") },
  config: { BN: 16, BK: 64, BG: 2 },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ w, s, z }, { BN, BK, BG }) => {
      const scale = load(s, [tile(0, BN), tile(0, BG)]);
      const packed = load(w, [tile(0, BN), tile(0, BK)]);
      print("d", dequant(packed, scale, { group: 128, to: "f16" }));
      print("e", dequant(packed, load(s, [0, tile(0, BG)]), { group: 32, to: "f16" }));
      const zero = load(z, [tile(0, BN), tile(0, BG)]);
      print("f", dequant(packed, load(s, [tile(0, BN), 0]), { zero, to: "f16" }));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ w, s, z }, { BN, BK, BG }) => {
      const scale = load(s, [tile(0, BN), tile(0, BG)]);
      const packed = load(w, [tile(0, BN), tile(0, BK)]);
      print("d", dequant(packed, scale, { group: 32, to: "f16" }));
      print("e", dequant(packed, load(s, [0, tile(0, BG)]), { group: 32, axis: BK, to: "f16" }));
      const zero = load(z, [tile(0, BN), tile(0, BG)]);
      print("f", dequant(packed, scale, { group: 32, zero, to: "f16" }));
    }),
  );
