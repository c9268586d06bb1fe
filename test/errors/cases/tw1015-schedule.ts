/** [test/errors/cases] TW1015: a wish that no schedule has. */
import { kernel, lowerKernel, type Schedule, scheduled, tensor } from "../../../dsl/index.ts";

const example = kernel(
  { name: "example", params: { x: tensor("f32", "M") }, config: { BM: 16 }, grid: () => 1 },
  () => {},
);

/** As from a file of settings, which no type checks. */
const read = (text: string): Schedule => JSON.parse(text) as Schedule;

export const fails = () => lowerKernel(scheduled(example, read('{ "stage": 2 }')));

/** The remedy, followed. */
export const works = () => lowerKernel(scheduled(example, read('{ "stages": 2 }')));
