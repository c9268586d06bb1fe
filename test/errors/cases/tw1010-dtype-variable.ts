/** [test/errors/cases] TW1010: a dtype variable without a dtype. */
import { kernel, lowerKernel, tensor } from "../../../dsl/index.ts";

const example = kernel({ name: "example", dtypes: { T: ["f32", "f16"] }, params: { x: tensor("T", "M") }, grid: () => 1 }, () => {});

export const fails = () => lowerKernel(example, { dtypes: { T: "bf16" } });

/** The remedy, followed. */
export const works = () => lowerKernel(example, { dtypes: { T: "f16" } });
