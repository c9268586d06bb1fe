/** [test/errors/cases] TW1315: the bytes of one of two copies are expected. */
import {
  barrier,
  barrierArrive,
  barrierExpect,
  barrierWait,
  copyAsync,
  kernel,
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
} from "../../../dsl/index.ts";
import { runExample } from "../run-example.ts";

const record = {
  name: "example",
  params: { x: tensor("f32", "M", "K"), y: out("f32", "M", "K") },
  config: { BM: 4, BK: 8 },
  grid: () => 1,
} as const;

export const fails = () =>
  runExample(
    kernel(record, ({ x, y, K }, { BM, BK }) => {
      const xs = shared([BM, BK], "f32");
      const ys = shared([BM, BK], "f32");
      const full = barrier();
      const empty = barrier();
      roles({
        producer: () => {
          let n = 0;
          for (const k of range(0, BK, BK)) {
            barrierWait(empty, n - 1);
            barrierExpect(full, n, slotBytes(xs));
            copyAsync(x, [tile(0, BM), span(k, BK)], xs, n, full);
            copyAsync(x, [tile(0, BM), span(k, BK)], ys, n, full);
            n += 1;
          }
        },
        consumer: () => {
          let n = 0;
          for (const k of range(0, BK, BK)) {
            barrierWait(full, n);
            store(y, [tile(0, BM), span(k, BK)], slot(xs, n) * 2);
            barrierArrive(empty, n);
            n += 1;
          }
        },
      });
    }),
  );

/** The remedy, followed. */
export const works = () =>
  runExample(
    kernel(record, ({ x, y, K }, { BM, BK }) => {
      const xs = shared([BM, BK], "f32");
      const ys = shared([BM, BK], "f32");
      const full = barrier();
      const empty = barrier();
      roles({
        producer: () => {
          let n = 0;
          for (const k of range(0, K, BK)) {
            barrierWait(empty, n - 1);
            barrierExpect(full, n, slotBytes(xs) + slotBytes(ys));
            copyAsync(x, [tile(0, BM), span(k, BK)], xs, n, full);
            copyAsync(x, [tile(0, BM), span(k, BK)], ys, n, full);
            n += 1;
          }
        },
        consumer: () => {
          let n = 0;
          for (const k of range(0, K, BK)) {
            barrierWait(full, n);
            store(y, [tile(0, BM), span(k, BK)], slot(xs, n) * 2);
            barrierArrive(empty, n);
            n += 1;
          }
        },
      });
    }),
  );
