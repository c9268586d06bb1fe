/** [test/errors/cases] TW1004: a dim that is no size. */
import { kernel, tensor } from "../../../dsl/index.ts";

export const fails = () =>
  kernel({ name: "example", params: { x: tensor("f32", "M", 0) }, grid: () => 1 }, () => {});

/** The remedy, followed. */
export const works = () =>
  kernel({ name: "example", params: { x: tensor("f32", "M", "K") }, grid: () => 1 }, () => {});
