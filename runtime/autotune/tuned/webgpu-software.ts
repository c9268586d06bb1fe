/** [runtime/autotune/tuned] Configs for GPUs in software (SwiftShader, llvmpipe): few threads, small unrolled bodies, no staging. */
import type { TunedTable } from "../store.ts";

export const WEBGPU_SOFTWARE: TunedTable = {};
