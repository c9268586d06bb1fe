/** [test/errors/cases] TW1023: a function that does not know where it was written. */
import { deviceFunction, fnParam, inout, kernel, load, lowerKernel, store } from "../../../dsl/index.ts";

const example = kernel(
  { name: "example", params: { x: inout("f32", "M"), f: fnParam((x: number) => x) }, grid: () => 1 },
  ({ x, f }) => store(x, [0], f(load(x, [0]))),
);
const twice = (x: number) => x * 2;
const thrice = deviceFunction((x: number) => x * 3);

export const fails = () => lowerKernel(example, { functions: { f: twice } });

/** The remedy, followed. */
export const works = () => lowerKernel(example, { functions: { f: thrice } });
