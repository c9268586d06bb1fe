/** [test/errors/cases] TW1011: values that every kernel has, out of their range. */
import { kernel, lowerKernel, tensor } from "../../../dsl/index.ts";

const example = kernel({ name: "example", params: { x: tensor("f32", "M") }, grid: () => 1 }, () => {});

export const fails = () => lowerKernel(example, { config: { warps: 1.5, cluster: 3 } });

/** The remedy, followed. */
export const works = () => lowerKernel(example, { config: { warps: 2, cluster: 2 } });
