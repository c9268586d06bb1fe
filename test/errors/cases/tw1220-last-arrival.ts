/** [test/errors/cases] TW1220: programs that are counted in a role, behind roles and ahead of them. */
import {
  inout,
  kernel,
  lastArrival,
  lowerKernel,
  out,
  pid,
  roles,
  store,
  TilewrightError,
} from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: { arrived: inout("i32", "M"), y: out("f32", "M") },
  config: {},
  grid: () => 1,
} as const;

const inside = kernel(record, ({ arrived, y }) => {
  roles({
    producer: () => {},
    consumer: () => {
      if (lastArrival(arrived, [0], 2)) store(y, [pid(0)], 1);
    },
  });
  if (lastArrival(arrived, [1], 2)) store(y, [0], 1);
});

const ahead = kernel(record, ({ arrived, y }) => {
  if (lastArrival(arrived, [0], 2)) store(y, [0], 1);
  roles({ producer: () => {}, consumer: () => {} });
});

export const fails = () => {
  const found = [inside, ahead].flatMap((one) => {
    try {
      lowerKernel(one);
    } catch (error) {
      if (error instanceof TilewrightError) return error.diagnostics;
      throw error;
    }
    return [];
  });
  throw new TilewrightError(found);
};

/** The remedy, followed. */
export const works = () => {
  lowerKernel(
    kernel(record, ({ y }) => {
      roles({ producer: () => {}, consumer: () => store(y, [pid(0)], 1) });
    }),
  );
  lowerKernel(
    kernel(record, ({ arrived, y }) => {
      if (lastArrival(arrived, [0], 2)) store(y, [0], 1);
    }),
  );
};
