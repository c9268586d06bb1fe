/** [runtime/autotune/tuned] What holds on every GPU without a measurement: no row is padded that need not be. */
import type { TunedConfig, TunedTable } from "../store.ts";

const FEW_ROWS: readonly TunedConfig[] = [
  { dims: { M: [1, 1] }, config: { BM: 1 } },
  { dims: { M: [2, 2] }, config: { BM: 2 } },
  { dims: { M: [3, 4] }, config: { BM: 4 } },
];

export const ANY_GPU: TunedTable = { linear_small: FEW_ROWS, linear_bias_small: FEW_ROWS };
