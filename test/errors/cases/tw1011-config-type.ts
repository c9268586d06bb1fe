/** [test/errors/cases] TW1011: a config value of another type than its default. */
import { kernel, lowerKernel, tensor } from "../../../dsl/index.ts";

const example = kernel({ name: "example", params: { x: tensor("f32", "M") }, config: { causal: true }, grid: () => 1 }, () => {});

export const fails = () => lowerKernel(example, { config: { causal: 1 } });

/** The remedy, followed. */
export const works = () => lowerKernel(example, { config: { causal: false } });
