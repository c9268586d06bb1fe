/** [test/errors/cases] TW1176: a result of ifAny without the axis. */
import { ifAny, kernel, load, lowerKernel, max, out, print, scalar, tensor, tile } from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: {
    x: tensor("f32", "M", "K"),
    h: tensor("f16", "M", "K"),
    ids: tensor("i32", "M"),
    n: scalar("i32"),
    s: scalar("f32"),
    y: out("f32", "M", "K"),
  },
  config: { BM: 16, BK: 32, on: true },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      const t = load(x, [tile(0, BM), tile(0, BK)]);
      const m = max(t, "BK");
      print("r", ifAny(m > s, "BM", () => max(m, "BM"), s));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      const t = load(x, [tile(0, BM), tile(0, BK)]);
      const m = max(t, "BK");
      print("r", ifAny(m > s, "BM", () => m * 2, m));
    }),
  );
