/** [test/errors/cases] TW1009: an op called while the program runs. */
import { kernel, load, lowerKernel, out, silu, store, tensor } from "../../../dsl/index.ts";

export const fails = () => silu(1);

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: tensor("f32", "M"), y: out("f32", "M") }, grid: () => 1 }, ({ x, y }) => {
      store(y, [0], silu(load(x, [0])));
    }),
  );
