/** [test/errors/cases] TW1012: a specialised dim without a size. */
import { kernel, lowerKernel, tensor } from "../../../dsl/index.ts";

const example = kernel({ name: "example", params: { x: tensor("f32", "D") }, specialize: ["D"], grid: () => 1 }, () => {});

export const fails = () => lowerKernel(example, {});

/** The remedy, followed. */
export const works = () => lowerKernel(example, { dims: { D: 64 } });
