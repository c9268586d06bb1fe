/** [test/errors/cases] TW1007: a specialised dim that no tensor has. */
import { kernel, tensor } from "../../../dsl/index.ts";

export const fails = () =>
  kernel({ name: "example", params: { x: tensor("f32", "M") }, specialize: ["D"], grid: () => 1 }, () => {});

/** The remedy, followed. */
export const works = () =>
  kernel({ name: "example", params: { x: tensor("f32", "D") }, specialize: ["D"], grid: () => 1 }, () => {});
