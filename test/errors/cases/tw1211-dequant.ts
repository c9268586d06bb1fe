/** [test/errors/cases] TW1211: a scale that does not fit its groups. */
import { dequant, kernel, load, lowerKernel, print, tensor, tile } from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: { w: tensor("u4", "N", "K"), s: tensor("f16", "N", "G") },
  config: { BN: 16, BK: 64, BG: 2 },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ w, s }, { BN, BK, BG }) => {
      const scale = load(s, [tile(0, BN), tile(0, BG)]);
      print("d", dequant(load(w, [tile(0, BN), tile(0, BK)]), scale, { group: 128, to: "f16" }));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ w, s }, { BN, BK, BG }) => {
      const scale = load(s, [tile(0, BN), tile(0, BG)]);
      print("d", dequant(load(w, [tile(0, BN), tile(0, BK)]), scale, { group: 32, to: "f16" }));
    }),
  );
