/** [test/errors/cases] TW1170: a variable of different kinds on two paths. */
import { kernel, load, lowerKernel, out, print, scalar, span, tensor, tile } from "../../../dsl/index.ts";

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
      let at = tile(0, BM);
      if (n > 0) at = n;
      print("t", load(ids, [at]));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      let start = 0;
      if (n > 0) start = n;
      print("t", load(ids, [span(start, BM)]));
    }),
  );
