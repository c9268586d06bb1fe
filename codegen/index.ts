/** [codegen] The door of the code generator: what the runtime, the engine and users may import. */
export * from "./artifact.ts";
export * from "./compile.ts";
export * from "./explain.ts";
export { type Inspection, inspect } from "./inspect/inspection.ts";
export { inspectionPage } from "./inspect/page.ts";
export type { Remark } from "./ir/scheduled.ts";
export { packBytes, unpackBytes } from "./layout/pack-bytes.ts";
export {
  formatOrder,
  type OrderDigit,
  orderProblem,
  type PackedOrder,
  packedElements,
  sameOrder,
  type TensorOrder,
} from "./layout/packed-order.ts";
export * from "./manifest.ts";
export * from "./repacker.ts";
export { TARGET_NAMES, TARGETS } from "./targets/catalogue.ts";
export { cudaCapability, cudaFeatures } from "./targets/cuda/features.ts";
export { hipFeatures, hipSpec } from "./targets/hip/features.ts";
export type { Target } from "./targets/target.ts";
export { wgslFeatures } from "./targets/wgsl/features.ts";
