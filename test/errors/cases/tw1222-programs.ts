/** [test/errors/cases] TW1222: pid() in a kernel whose blocks walk over programs(). */
import {
  barrier,
  barrierExpect,
  barrierWait,
  copyAsync,
  kernel,
  lowerKernel,
  out,
  pid,
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
          for (const p of programs()) {
            barrierExpect(full, n, slotBytes(xs));
            copyAsync(x, [tile(p + pid(0), BM), span(0, BK)], xs, n, full);
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
          for (const p of programs()) {
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
