/** [test/errors/cases] TW1214: several counters at once. */
import {
  inout,
  kernel,
  lastArrival,
  lowerKernel,
  out,
  pid,
  store,
  tile,
} from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: { arrived: inout("i32", "M"), y: out("f32", "M") },
  config: { BM: 16 },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ arrived, y }, { BM }) => {
      if (lastArrival(arrived, [tile(0, BM)], 2)) store(y, [0], 1);
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ arrived, y }) => {
      if (lastArrival(arrived, [pid(0)], 2)) store(y, [0], 1);
    }),
  );
