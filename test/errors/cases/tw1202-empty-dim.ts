/** [test/errors/cases] TW1202: a whole dim of size 0, which no tile can have. */
import { all, cdiv, kernel, load, lowerKernel, print, range, tensor, tile } from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: { x: tensor("f32", "D") },
  config: { B: 16 },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel({ ...record, specialize: ["D"] }, ({ x, D }) => {
      print("x", load(x, [all(D)]));
    }),
    { dims: { D: 0 } },
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ ...record, specialize: ["D"] }, ({ x, D }, { B }) => {
      for (const i of range(cdiv(D, B))) print("x", load(x, [tile(i, B)]));
    }),
    { dims: { D: 0 } },
  );
