/** [test/errors/cases] TW1104: an export that is destructured. */
import { inout, kernel, load, lowerKernel, store } from "../../../dsl/index.ts";

import { FACTOR, LOW } from "../cases-library.ts";

export const fails = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [0], load(x, [0]) * LOW);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [0], load(x, [0]) * FACTOR);
    }),
  );
