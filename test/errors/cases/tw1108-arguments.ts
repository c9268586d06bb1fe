/** [test/errors/cases] TW1108: a function called with too few arguments. */
import { inout, kernel, load, lowerKernel, store } from "../../../dsl/index.ts";

const scaled = (x: number, factor: number) => x * factor;

export const fails = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [0], scaled(load(x, [0])));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [0], scaled(load(x, [0]), 2));
    }),
  );
