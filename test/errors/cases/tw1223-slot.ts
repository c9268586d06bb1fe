/** [test/errors/cases] TW1223: a copy brings another tile than the shared memory holds. */
import {
  barrier,
  copyAsync,
  kernel,
  lowerKernel,
  out,
  roles,
  shared,
  span,
  tensor,
  tile,
} from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: { x: tensor("f32", "M", "K"), h: tensor("f16", "M", "K"), y: out("f32", "M", "K") },
  config: { BM: 16, BK: 32 },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ h }, { BM, BK }) => {
      const xs = shared([BM, BK], "f32");
      const full = barrier();
      roles({
        producer: () => {
          // @ts-expect-error the dtypes differ
          copyAsync(h, [tile(0, BM), span(0, BK)], xs, 0, full);
        },
        consumer: () => {},
      });
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ h }, { BM, BK }) => {
      const hs = shared([BM, BK], "f16");
      const full = barrier();
      roles({
        producer: () => {
          copyAsync(h, [tile(0, BM), span(0, BK)], hs, 0, full);
        },
        consumer: () => {},
      });
    }),
  );
