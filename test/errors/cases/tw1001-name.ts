/** [test/errors/cases] TW1001: a name that is no identifier. */
import { kernel, tensor } from "../../../dsl/index.ts";

export const fails = () =>
  kernel({ name: "rms-norm", params: { x: tensor("f32", "M") }, grid: () => 1 }, () => {});

/** The remedy, followed. */
export const works = () =>
  kernel({ name: "rms_norm", params: { x: tensor("f32", "M") }, grid: () => 1 }, () => {});
