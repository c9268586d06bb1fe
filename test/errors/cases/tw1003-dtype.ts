/** [test/errors/cases] TW1003: a dtype that is neither known nor a variable. */
import { kernel, scalar, tensor } from "../../../dsl/index.ts";

export const fails = () =>
  kernel({ name: "example", params: { x: tensor("f61", "M"), n: scalar("i8") }, grid: () => 1 }, () => {});

/** The remedy, followed. */
export const works = () =>
  kernel({ name: "example", params: { x: tensor("f16", "M"), n: scalar("i32") }, grid: () => 1 }, () => {});
