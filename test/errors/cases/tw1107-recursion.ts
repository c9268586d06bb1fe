/** [test/errors/cases] TW1107: a function that calls itself. */
import { cast, inout, kernel, load, lowerKernel, range, store } from "../../../dsl/index.ts";

const power = (x: number, n: number): number => (n === 0 ? 1 : x * again(x, n));
const again = (x: number, n: number): number => power(x, n);

export const fails = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [0], power(load(x, [0]), 3));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      const base = load(x, [0]);
      let product = cast(1, "f32");
      for (const _ of range(3)) product *= base;
      store(x, [0], product);
    }),
  );
