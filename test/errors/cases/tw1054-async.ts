/** [test/errors/cases] TW1054: an async function. */
import { inout, kernel, load, lowerKernel, store } from "../../../dsl/index.ts";

export const fails = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      const later = async (v: number) => v * 2;
      const sum = (...values: number[]) => values.length;
      store(x, [0], later(load(x, [0])) + sum(1, 2));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      const now = (v: number) => v * 2;
      const sum = (values: number[]) => values.length;
      store(x, [0], now(load(x, [0])) + sum([1, 2]));
    }),
  );
