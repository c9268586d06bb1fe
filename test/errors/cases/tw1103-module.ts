/** [test/errors/cases] TW1103: an import that no file stands behind. */
import { inout, kernel, load, lowerKernel, store } from "../../../dsl/index.ts";

import { BLOCK_SIZE } from "node:constants";
import { FACTOR } from "../cases-library.ts";

export const fails = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [0], load(x, [0]) * BLOCK_SIZE);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [0], load(x, [0]) * FACTOR);
    }),
  );
