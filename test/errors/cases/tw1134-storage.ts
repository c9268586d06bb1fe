/** [test/errors/cases] TW1134: arithmetic on dtypes that only store numbers. */
import {
  abs,
  cast,
  dequant,
  dot,
  kernel,
  load,
  lowerKernel,
  max,
  print,
  tensor,
  tile,
} from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: {
    w: tensor("nf4", "N", "K"),
    v: tensor("f4e2m1", "M", "K"),
    s: tensor("f8e8m0", "N", "G"),
  },
  config: { BM: 16, BN: 16, BK: 64, BG: 2 },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ w, v, s }, { BM, BN, BK, BG }) => {
      const weights = load(w, [tile(0, BN), tile(0, BK)]);
      const scale = load(s, [tile(0, BN), tile(0, BG)]);
      const other = load(v, [tile(0, BM), tile(0, BK)]);
      print("a", weights * 2);
      print("b", abs(weights as number));
      print("c", max(scale, BG));
      print("d", scale < 1);
      print("e", dot(other, weights));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ w, v, s }, { BM, BN, BK, BG }) => {
      const weights = load(w, [tile(0, BN), tile(0, BK)]);
      const scale = load(s, [tile(0, BN), tile(0, BG)]);
      const other = load(v, [tile(0, BM), tile(0, BK)]);
      print("a", cast(weights, "f32") * 2);
      print("b", abs(cast(weights, "f32")));
      print("c", max(cast(scale, "f32"), BG));
      print("d", cast(scale, "f32") < 1);
      print("e", dot(cast(other, "f16"), dequant(weights, scale, { group: 32, to: "f16" })));
    }),
  );
