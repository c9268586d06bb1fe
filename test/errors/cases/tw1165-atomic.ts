/** [test/errors/cases] TW1165: an atomic on a dtype without one. */
import { atomicAdd, inout, kernel, lowerKernel } from "../../../dsl/index.ts";

export const fails = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f16", "M") }, grid: () => 1 }, ({ x }) => {
      atomicAdd(x, [0], 1);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      atomicAdd(x, [0], 1);
    }),
  );
