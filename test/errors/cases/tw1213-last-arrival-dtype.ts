/** [test/errors/cases] TW1213: counters that are no i32. */
import { inout, kernel, lastArrival, lowerKernel, out, store } from "../../../dsl/index.ts";

export const fails = () =>
  lowerKernel(
    kernel(
      {
        name: "example",
        params: { arrived: inout("u32", "M"), y: out("f32", "M") },
        grid: () => 1,
      },
      ({ arrived, y }) => {
        // @ts-expect-error the types say so as well
        if (lastArrival(arrived, [0], 2)) store(y, [0], 1);
      },
    ),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(
      {
        name: "example",
        params: { arrived: inout("i32", "M"), y: out("f32", "M") },
        grid: () => 1,
      },
      ({ arrived, y }) => {
        if (lastArrival(arrived, [0], 2)) store(y, [0], 1);
      },
    ),
  );
