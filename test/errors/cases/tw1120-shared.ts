/** [test/errors/cases] TW1120: shared memory as a whole where one of its tiles is meant, and a barrier as a number. */
import { barrier, dotAsync, kernel, lowerKernel, out, roles, shared, slot, store } from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: { y: out("f32", "M", "N") },
  config: { BM: 16, BN: 32, BK: 16 },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ y }, { BM, BN, BK }) => {
      const xs = shared([BM, BK], "f32");
      const ws = shared([BN, BK], "f32");
      const full = barrier();
      roles({
        producer: () => {},
        consumer: () => {
          dotAsync(xs, ws);
          store(y, [0, 0], full);
        },
      });
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, (_, { BM, BN, BK }) => {
      const xs = shared([BM, BK], "f32");
      const ws = shared([BN, BK], "f32");
      roles({
        producer: () => {},
        consumer: () => {
          dotAsync(slot(xs, 0), slot(ws, 0));
        },
      });
    }),
  );
