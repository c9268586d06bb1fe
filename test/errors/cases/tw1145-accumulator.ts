/** [test/errors/cases] TW1145: an accumulator of another type. */
import { axis, dot, kernel, load, lowerKernel, out, print, scalar, tensor, tile, zeros } from "../../../dsl/index.ts";

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
      const a = load(h, [tile(0, BM), tile(0, BK)]);
      const b = load(h, [tile(0, axis("BN", 8)), tile(0, BK)]);
      print("c", dot(a, b, zeros("f16", BM, axis("BN", 8))));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      const a = load(h, [tile(0, BM), tile(0, BK)]);
      const b = load(h, [tile(0, axis("BN", 8)), tile(0, BK)]);
      print("c", dot(a, b, zeros("f32", BM, axis("BN", 8))));
    }),
  );
