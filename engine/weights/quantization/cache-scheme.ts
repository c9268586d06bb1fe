/** [engine/weights/quantization] What quantization_config says of keys and values. Their scales are tensors, read in layers/cache-scales.ts. */
import { z } from "zod";

const schema = z
  .object({ kv_cache_scheme: z.object({ num_bits: z.literal(8), type: z.literal("float") }) })
  .loose();

/** True where the checkpoint was calibrated for caches of 8-bit floats. @param section of config.json; whatever else it holds does not matter here */
export function keepsBytes(section: unknown): boolean {
  return schema.safeParse(section).success;
}
