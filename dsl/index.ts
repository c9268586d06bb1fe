/** [dsl] The door of the language room: what the other rooms and users may import. */
export * from "./core/dtype.ts";
export * from "./core/errors.ts";
export * from "./core/flags.ts";
export * from "./core/grid.ts";
export * from "./core/hash.ts";
export { showingSources } from "./core/kernel-sources.ts";
export * from "./core/location.ts";
export * from "./core/node-modules.ts";
export * from "./core/rounding.ts";
export { didYouMean, didYouMeanDType, similarName } from "./core/similar-name.ts";
export * from "./core/storage-formats.ts";
export * from "./core/tolerance.ts";
export * from "./definition.ts";
export { dimNames } from "./frontend/check-definition.ts";
export { kernelFromSource } from "./frontend/from-source.ts";
export type { HirProgram } from "./frontend/hir.ts";
export { printHir, readHir, writeHir } from "./frontend/hir-print.ts";
export { sourceKey } from "./frontend/locate.ts";
export { lowerGrid } from "./frontend/lower-grid.ts";
export { type KernelSource, type LoweredKernel, lowerKernel } from "./frontend/lower-kernel.ts";
export { type Dependency, SourceCache } from "./frontend/source-cache.ts";
export { COMMON_CONFIG } from "./frontend/specialize.ts";
export type { RunArguments, TensorArgument, UnwrittenMode } from "./interpreter/bind.ts";
export type { CheckFinding } from "./interpreter/checks.ts";
export { formatPrint, type PrintRecord } from "./interpreter/print-record.ts";
export {
  type InterpreterOptions,
  type InterpreterProgram,
  interpret,
  type OpEvent,
  prepareInterpreter,
} from "./interpreter/program.ts";
export type { ValueSnapshot } from "./interpreter/snapshot.ts";
export type * from "./ir/explicit.ts";
export * from "./ir/nodes.ts";
export { parseKernel } from "./ir/parse.ts";
export * from "./ir/primitives.ts";
export {
  formatDefinition,
  formatName,
  formatNumber,
  formatOp,
  formatValue,
  type PrintOptions,
  printKernel,
  printOp,
} from "./ir/print.ts";
export { isExplicitOp } from "./ir/print-explicit.ts";
export * from "./ir/rewrite.ts";
export { TokenReader } from "./ir/tokens.ts";
export * from "./ir/types.ts";
export { findViolations, verifyKernel } from "./ir/verify.ts";
export { findTensor, indexAxes } from "./ir/verify-memory.ts";
export * from "./ir/visit.ts";
export * from "./language.ts";
export { type OpRecord, opOf } from "./ops/define-op.ts";
export { OPS } from "./ops/registry.ts";
export {
  commonStages,
  namedStages,
  SCHEDULE_REMEDY,
  type Schedule,
  type ScheduleKey,
  scheduleConfig,
  scheduled,
  scheduleOf,
  WISHES,
  type WishName,
  wishOfKey,
} from "./schedule.ts";
export type { AxisIndex, Dim, DTypeVariable, KernelTensor, Tile } from "./typing.ts";
