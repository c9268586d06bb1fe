/** [test/errors/cases] TW1220: a copy in the consumer, a wait outside of roles, memory in a loop, roles twice. */
import {
  barrier,
  barrierExpect,
  barrierWait,
  copyAsync,
  kernel,
  lowerKernel,
  out,
  range,
  roles,
  shared,
  slotBytes,
  span,
  tensor,
  tile,
} from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: { x: tensor("f32", "M", "K"), y: out("f32", "M", "K") },
  config: { BM: 16, BK: 32 },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ x, K }, { BM, BK }) => {
      const xs = shared([BM, BK], "f32");
      const full = barrier();
      barrierWait(full, 0);
      for (const k of range(0, K, BK)) {
        const more = shared([BM, BK], "f32");
        slotBytes(more) + k;
      }
      roles({
        producer: () => {
          barrierExpect(full, 0, slotBytes(xs));
        },
        consumer: () => {
          copyAsync(x, [tile(0, BM), span(0, BK)], xs, 0, full);
        },
      });
      roles({ producer: () => {}, consumer: () => {} });
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x }, { BM, BK }) => {
      const xs = shared([BM, BK], "f32");
      const full = barrier();
      roles({
        producer: () => {
          barrierExpect(full, 0, slotBytes(xs));
          copyAsync(x, [tile(0, BM), span(0, BK)], xs, 0, full);
        },
        consumer: () => {
          barrierWait(full, 0);
        },
      });
    }),
  );
