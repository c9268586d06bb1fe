/** [test/errors/cases] TW1006: a tuning list without a default. */
import { kernel, tensor } from "../../../dsl/index.ts";

export const fails = () =>
  kernel({ name: "example", params: { x: tensor("f32", "M") }, config: { BM: 16 }, tune: { BN: [16, 32], BM: [true] }, grid: () => 1 }, () => {});

/** The remedy, followed. */
export const works = () =>
  kernel({ name: "example", params: { x: tensor("f32", "M") }, config: { BM: 16, BN: 16 }, tune: { BN: [16, 32] }, grid: () => 1 }, () => {});
