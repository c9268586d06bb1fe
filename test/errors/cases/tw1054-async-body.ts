/** [test/errors/cases] TW1054: an async body, reported once. */
import { kernel, lowerKernel, tensor } from "../../../dsl/index.ts";

const record = { name: "example", params: { x: tensor("f32", "D") }, grid: () => 1 } as const;

export const fails = () => lowerKernel(kernel(record, async () => {}));

/** The remedy, followed. */
export const works = () => lowerKernel(kernel(record, () => {}));
