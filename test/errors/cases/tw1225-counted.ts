/** [test/errors/cases] TW1225: one role takes programs by a counter, the other in turn. */
import {
  barrier,
  barrierExpect,
  barrierWait,
  copyAsync,
  kernel,
  lowerKernel,
  out,
  programs,
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
    kernel(record, ({ x }, { BM, BK }) => {
      const xs = shared([BM, BK], "f32");
      const full = barrier();
      roles({
        producer: () => {
          let n = 0;
          for (const p of programs({ counted: true })) {
            barrierExpect(full, n, slotBytes(xs));
            copyAsync(x, [tile(p, BM), span(0, BK)], xs, n, full);
            n += 1;
          }
        },
        consumer: () => {
          let n = 0;
          for (const p of programs()) {
            barrierWait(full, n);
            n += p > -1 ? 1 : 0;
          }
        },
      });
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
          let n = 0;
          for (const p of programs({ counted: true })) {
            barrierExpect(full, n, slotBytes(xs));
            copyAsync(x, [tile(p, BM), span(0, BK)], xs, n, full);
            n += 1;
          }
        },
        consumer: () => {
          let n = 0;
          for (const p of programs({ counted: true })) {
            barrierWait(full, n);
            n += p > -1 ? 1 : 0;
          }
        },
      });
    }),
  );
