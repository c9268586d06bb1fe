/** [test/errors/cases] TW1202: arguments of the wrong kind. */
import { axis, kernel, load, lowerKernel, out, pid, print, range, scalar, tensor, tile, zeros } from "../../../dsl/index.ts";

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
      print("z", zeros("f61", BM));
      print("p", pid(n));
      print("l", load(x, [0, tile(0, 3)]));
      for (const i of range(0, n, 1, { stages: n })) print("i", i);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      print("z", zeros("f32", BM));
      print("p", pid(0));
      print("l", load(x, [0, tile(0, axis("rows", 4))]));
      for (const i of range(0, n, 1, { stages: 2 })) print("i", i);
    }),
  );
