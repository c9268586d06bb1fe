/** [test/errors/cases] TW1005: a config value that is no number. */
import { kernel, tensor } from "../../../dsl/index.ts";

export const fails = () =>
  kernel({ name: "example", params: { x: tensor("f32", "M") }, config: { mode: "fast" }, grid: () => 1 }, () => {});

/** The remedy, followed. */
export const works = () =>
  kernel({ name: "example", params: { x: tensor("f32", "M") }, config: { fast: true }, grid: () => 1 }, () => {});
