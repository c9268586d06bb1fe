/** [test/errors/cases] TW1148: a merge whose sizes do not multiply. */
import { axis, kernel, load, lowerKernel, merge, out, print, scalar, tensor, tile } from "../../../dsl/index.ts";

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
      const a = load(x, [tile(0, BM), tile(0, BK)]);
      print("m", merge(a, axis("ALL", 100)));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      const a = load(x, [tile(0, BM), tile(0, BK)]);
      print("m", merge(a, axis("ALL", BM * BK)));
    }),
  );
