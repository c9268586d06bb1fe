/** [test/errors/cases] TW1221: the producer computes with a tile, and stores. */
import {
  barrier,
  barrierExpect,
  barrierWait,
  copyAsync,
  kernel,
  load,
  lowerKernel,
  out,
  roles,
  shared,
  slot,
  slotBytes,
  span,
  store,
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
    kernel(record, ({ x, y }, { BM, BK }) => {
      roles({
        producer: () => {
          const v = load(x, [tile(0, BM), span(0, BK)]);
          store(y, [tile(0, BM), span(0, BK)], v * 2);
        },
        consumer: () => {},
      });
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, y }, { BM, BK }) => {
      const xs = shared([BM, BK], "f32");
      const full = barrier();
      roles({
        producer: () => {
          barrierExpect(full, 0, slotBytes(xs));
          copyAsync(x, [tile(0, BM), span(0, BK)], xs, 0, full);
        },
        consumer: () => {
          barrierWait(full, 0);
          store(y, [tile(0, BM), span(0, BK)], slot(xs, 0) * 2);
        },
      });
    }),
  );
