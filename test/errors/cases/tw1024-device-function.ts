/** [test/errors/cases] TW1024: deviceFunction without a function literal. */
import { deviceFunction, fnParam, inout, kernel, load, lowerKernel, store } from "../../../dsl/index.ts";

const example = kernel(
  { name: "example", params: { x: inout("f32", "M"), f: fnParam((x: number) => x) }, grid: () => 1 },
  ({ x, f }) => store(x, [0], f(load(x, [0]))),
);
const make = (k: number) => (x: number) => x * k;
const made = deviceFunction(make(2));
const written = deviceFunction((x: number) => x * 2);

export const fails = () => lowerKernel(example, { functions: { f: made } });

/** The remedy, followed. */
export const works = () => lowerKernel(example, { functions: { f: written } });
