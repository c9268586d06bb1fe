/** [test/errors/cases] TW1105: something of the package that is not an op. */
import { inout, kernel, lowerKernel, store } from "../../../dsl/index.ts";

import { isFloat } from "../../../dsl/index.ts";

export const fails = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      if (isFloat("f32")) store(x, [0], 1);
    }),
  );

/** The remedy, followed: config values are decided before the kernel is lowered. */
export const works = () =>
  lowerKernel(
    kernel(
      { name: "example", params: { x: inout("f32", "M") }, config: { float: isFloat("f32") }, grid: () => 1 },
      ({ x }, { float }) => {
        if (float) store(x, [0], 1);
      },
    ),
  );
