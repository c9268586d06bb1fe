/** [test/errors/cases] TW1224: a sum is stored while its dots may still add to it. */
import {
  barrier,
  barrierExpect,
  barrierWait,
  copyAsync,
  dotAsync,
  dotWait,
  kernel,
  lowerKernel,
  out,
  range,
  roles,
  shared,
  slot,
  slotBytes,
  span,
  store,
  tensor,
  tile,
  zeros,
} from "../../../dsl/index.ts";

const record = {
  name: "example",
  params: { x: tensor("f16", "M", "K"), w: tensor("f16", "N", "K"), y: out("f32", "M", "N") },
  config: { BM: 64, BN: 64, BK: 64 },
  grid: () => 1,
} as const;

export const fails = () =>
  lowerKernel(
    kernel(record, ({ x, w, y, K }, { BM, BN, BK }) => {
      const xs = shared([BM, BK], "f16");
      const ws = shared([BN, BK], "f16");
      const full = barrier();
      roles({
        producer: () => {
          barrierExpect(full, 0, slotBytes(xs) + slotBytes(ws));
          copyAsync(x, [tile(0, BM), span(0, BK)], xs, 0, full);
          copyAsync(w, [tile(0, BN), span(0, BK)], ws, 0, full);
        },
        consumer: () => {
          barrierWait(full, 0);
          let acc = zeros("f32", BM, BN);
          for (const _ of range(0, K, BK)) acc = dotAsync(slot(xs, 0), slot(ws, 0), acc);
          store(y, [tile(0, BM), tile(0, BN)], acc);
        },
      });
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(record, ({ x, w, y, K }, { BM, BN, BK }) => {
      const xs = shared([BM, BK], "f16");
      const ws = shared([BN, BK], "f16");
      const full = barrier();
      roles({
        producer: () => {
          barrierExpect(full, 0, slotBytes(xs) + slotBytes(ws));
          copyAsync(x, [tile(0, BM), span(0, BK)], xs, 0, full);
          copyAsync(w, [tile(0, BN), span(0, BK)], ws, 0, full);
        },
        consumer: () => {
          barrierWait(full, 0);
          let acc = zeros("f32", BM, BN);
          for (const _ of range(0, K, BK)) acc = dotAsync(slot(xs, 0), slot(ws, 0), acc);
          acc = dotWait(0, acc);
          store(y, [tile(0, BM), tile(0, BN)], acc);
        },
      });
    }),
  );
