/** [test/errors/cases] TW1164: a fill that is not known at compile time. */
import { iota, kernel, load, lowerKernel, out, print, scalar, tensor, tile, where } from "../../../dsl/index.ts";

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
      print("t", load(x, [tile(0, BM), 0], { fill: s }));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      const inside = iota(BM) < M;
      print("t", where(inside, load(x, [tile(0, BM), 0]), s));
    }),
  );
