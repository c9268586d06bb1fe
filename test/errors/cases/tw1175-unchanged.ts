/** [test/errors/cases] TW1175: a while whose condition nothing changes. */
import { kernel, lowerKernel, out, print, scalar, tensor } from "../../../dsl/index.ts";

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
      let i = 0;
      while (n > 0 && s < 1) i += 1;
      print("i", i);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      let left = n;
      while (left > 0 && s < 1) left -= 1;
      print("left", left);
    }),
  );
