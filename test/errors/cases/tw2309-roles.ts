/** [test/errors/cases] TW2309: roles whose loops make other trips, on a target that cannot run them side by side. */
import { compile } from "../../../codegen/compile.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import {
  barrier,
  barrierArrive,
  barrierExpect,
  barrierWait,
  copyAsync,
  type KernelDefinition,
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


const record = {
  name: "example",
  params: { x: tensor("f32", "M", "K"), y: out("f32", "M", "K") },
  config: { BM: 4, BK: 8 },
  grid: () => 1,
} as const;

function onAmpere(kernel: KernelDefinition) {
  return compile(kernel, { specialization: {}, target: cudaSpec("sm_80") });
}

export const fails = () =>
  onAmpere(
    kernel(record, ({ x, y, K }, { BM, BK }) => {
      const xs = shared([BM, BK], "f32");
      const full = barrier();
      const empty = barrier();
      roles({
        producer: () => {
          let n = 0;
          for (const k of range(0, K, BK)) {
            barrierWait(empty, n - 1);
            barrierExpect(full, n, slotBytes(xs));
            copyAsync(x, [tile(0, BM), span(k, BK)], xs, n, full);
            n += 1;
          }
        },
        consumer: () => {
          let n = 0;
          for (const k of range(0, 2 * BK, BK)) {
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
  onAmpere(
    kernel(record, ({ x, y, K }, { BM, BK }) => {
      const xs = shared([BM, BK], "f32");
      const full = barrier();
      const empty = barrier();
      roles({
        producer: () => {
          let n = 0;
          for (const k of range(0, K, BK)) {
            barrierWait(empty, n - 1);
            barrierExpect(full, n, slotBytes(xs));
            copyAsync(x, [tile(0, BM), span(k, BK)], xs, n, full);
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
