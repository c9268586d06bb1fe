/** [test/errors/cases] TW1102: a captured variable, reached through two helpers. */
import { inout, kernel, load, lowerKernel, store } from "../../../dsl/index.ts";

let factor = 2;
const FACTOR = 2;
const scaled = (x: number) => x * factor;
const fixed = (x: number) => x * FACTOR;
const outer = (x: number) => scaled(x) + 1;

export const fails = () => {
  factor += 1;
  return lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [0], outer(load(x, [0])));
    }),
  );
};

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [0], fixed(load(x, [0])));
    }),
  );
