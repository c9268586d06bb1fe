/** [test/errors/cases] TW1171: a tile that decides a branch. */
import { kernel, load, lowerKernel, out, print, scalar, some, tensor, tile, where } from "../../../dsl/index.ts";

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
      const positive = load(x, [tile(0, BM), 0]) > 0;
      if (positive) print("some", 1);
      print("choice", positive ? 1 : 0);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      const positive = load(x, [tile(0, BM), 0]) > 0;
      if (some(positive, "BM")) print("some", 1);
      print("choice", where(positive, 1, 0));
    }),
  );
