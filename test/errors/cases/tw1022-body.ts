/** [test/errors/cases] TW1022: a body that is not written in place. */
import { kernel, lowerKernel, tensor } from "../../../dsl/index.ts";

const body = () => {};

export const fails = () =>
  lowerKernel(kernel({ name: "example", params: { x: tensor("f32", "M") }, grid: () => 1 }, body));

/** The remedy, followed. */
export const works = () =>
  lowerKernel(kernel({ name: "example", params: { x: tensor("f32", "M") }, grid: () => 1 }, () => {}));
