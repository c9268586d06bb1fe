/** [test/errors/cases] TW1013: a config value that the kernel does not have. */
import { kernel, lowerKernel, tensor } from "../../../dsl/index.ts";

const example = kernel({ name: "example", params: { x: tensor("f32", "M") }, config: { BM: 16 }, grid: () => 1 }, () => {});

export const fails = () => lowerKernel(example, { config: { BN: 16 } });

/** The remedy, followed. */
export const works = () => lowerKernel(example, { config: { BM: 32 } });
