/** [test/errors/cases] TW1120: what is stored is no number; the place is that of the value. */
import { kernel, load, lowerKernel, out, scalar, store, tensor } from "../../../dsl/index.ts";

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
      store(y, [0, 0], x);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      store(y, [0, 0], load(x, [0, 0]));
    }),
  );
