/** [test/errors/cases] TW1002: one name for a dim and a config value. */
import { kernel, tensor } from "../../../dsl/index.ts";

export const fails = () =>
  kernel({ name: "example", params: { x: tensor("f32", "M") }, config: { M: 16 }, grid: () => 1 }, () => {});

/** The remedy, followed. */
export const works = () =>
  kernel({ name: "example", params: { x: tensor("f32", "M") }, config: { BM: 16 }, grid: () => 1 }, () => {});
