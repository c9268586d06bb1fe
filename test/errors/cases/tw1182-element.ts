/** [test/errors/cases] TW1182: a tile indexed with brackets. */
import { iota, kernel, load, lowerKernel, out, print, scalar, sum, tensor, tile, where } from "../../../dsl/index.ts";

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
      const t = load(x, [tile(0, BM), 0]);
      print("first", t[0]);
      print("pick", [s, 1.5][n]);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      const t = load(x, [tile(0, BM), 0]);
      print("first", sum(where(iota(BM) === 0, t, 0), "BM"));
      print("pick", n === 0 ? s : 1.5);
    }),
  );
