/** [test/errors/cases] TW1130: functions and operators on dtypes that they do not take. */
import { bitcast, cast, exp, kernel, lowerKernel, out, print, scalar, tensor } from "../../../dsl/index.ts";

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
      print("a", exp(n));
      print("b", s & 1);
      print("c", (n > 0) + 1);
      print("d", n >>> 1);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, h, ids, n, s, y, M, K }, { BM, BK, on }) => {
      print("a", exp(cast(n, "f32")));
      print("b", cast(s, "i32") & 1);
      print("c", cast(n > 0, "i32") + 1);
      print("d", bitcast(n, "u32") >>> 1);
    }),
  );
