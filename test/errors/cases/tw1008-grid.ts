/** [test/errors/cases] TW1008: a record from JavaScript without a grid function, and with a `when` that is none. */
import { kernel, tensor } from "../../../dsl/index.ts";

const params = { x: tensor("f32", "M") } as const;
/** What a type check would refuse. */
const untyped = (record: object) => record as { name: string; params: typeof params; grid: () => number };

export const fails = () => {
  kernel(untyped({ name: "example", params, when: true }), () => {});
};

/** The remedy, followed. */
export const works = () =>
  kernel({ name: "example", params, grid: ({ M }) => M, when: () => true }, () => {});
