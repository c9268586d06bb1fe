/** [codegen] The door of the code generator: what the runtime, the engine and users may import. */
export * from "./artifact.ts";
export * from "./compile.ts";
export * from "./explain.ts";
export { type Inspection, inspect } from "./inspect/inspection.ts";
export { inspectionPage } from "./inspect/page.ts";
export { printThreadKernel } from "./ir/print-thread.ts";
export type { Remark } from "./ir/scheduled.ts";
export type * from "./ir/thread.ts";
export { walkStmts } from "./ir/visit-thread.ts";
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
export type { Pipeline, ThreadPass } from "./targets/pipeline.ts";
export { registerTarget, targetNamed, targetNames, targetVersion } from "./targets/registry.ts";
export {
  type EmitRequest,
  type EmittedText,
  headLines,
  type Target,
} from "./targets/target.ts";
export { wgslFeatures } from "./targets/wgsl/features.ts";
