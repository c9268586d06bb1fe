/** [test/errors/cases] TW1014: a config that the kernel's own when() rules out. */
import { kernel, lowerKernel, tensor } from "../../../dsl/index.ts";

const example = kernel(
  {
    name: "example",
    params: { x: tensor("f32", "M") },
    config: { BM: 16 },
    tune: { BM: [16, 32, 64] },
    when: ({ BM }) => 128 % BM === 0,
    grid: () => 1,
  },
  () => {},
);

export const fails = () => lowerKernel(example, { config: { BM: 96 } });

/** The remedy, followed. */
export const works = () => lowerKernel(example, { config: { BM: 64 } });
