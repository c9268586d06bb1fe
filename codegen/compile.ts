/** [codegen] Definition and request → artifact: the one place where the stages of a compile stand in order. */

import {
  type Dependency,
  type KernelDefinition,
  type KernelSource,
  lowerKernel,
  type Op,
  type Param,
  printKernel,
  sha256,
  showingSources,
  stableJson,
  type TileKernel,
  UnsupportedError,
} from "../dsl/index.ts";
import { requireArrivals } from "./analysis/find-arrivals.ts";
import type { Artifact, ArtifactParam, CompileRequest } from "./artifact.ts";
import { printScheduled } from "./ir/print-scheduled.ts";
import { printThreadKernel } from "./ir/print-thread.ts";
import type { ScheduledKernel } from "./ir/scheduled.ts";
import type { ThreadKernel } from "./ir/thread.ts";
import { type PackedOrder, requireOrder, type TensorOrder } from "./layout/packed-order.ts";
import { checkRegisters } from "./passes/check-registers.ts";
import { earlyTensors } from "./passes/copy-role.ts";
import { createContext, hasFeature, type PassContext } from "./passes/pass.ts";
import { BLOCKS_OF_PROGRAM, hasSplitPrograms } from "./passes/split-k.ts";
import { type Lowered, type PassOptions, runPasses, type StageLevel } from "./run-passes.ts";
import { answer, answerTheRest, wishesOf, withStages } from "./schedule/wishes.ts";
import { targetNamed } from "./targets/registry.ts";

/** Raised when texts change so much that times measured before say little. The compile cache goes by the sources themselves. */
export const CODEGEN_VERSION = 1;

export interface CompiledKernel {
  readonly artifact: Artifact;
  /** Source files that the kernel was made from, with their content hashes. */
  readonly dependencies: readonly Dependency[];
}

/** Slots of the C ABI: tensors, then dims bound at launch, then scalars. */
export function artifactParams(
  tile: TileKernel,
  orders: Readonly<Record<string, PackedOrder>> = {},
): readonly ArtifactParam[] {
  const tensor = (param: Param): readonly ArtifactParam[] => {
    if (param.kind !== "tensor") return [];
    const shape = param.shape.map((dim) => dim.size ?? dim.name ?? 0);
    const { name, dtype, access } = param;
    const order = orders[name];
    return [{ kind: "tensor", name, dtype, shape, access, ...(order && { order }) }];
  };
  const scalar = (param: Param): readonly ArtifactParam[] =>
    param.kind === "scalar" ? [{ kind: "scalar", name: param.name, dtype: param.dtype }] : [];
  return [
    ...tile.params.flatMap(tensor),
    ...tile.dims.map((name) => ({ kind: "dim", name }) as const),
    ...tile.params.flatMap(scalar),
  ];
}

/** Slots that the schedule adds: the launch's true grid, then tensor maps. */
function launchParams(
  tile: TileKernel,
  { persistent, counted, maps }: ThreadKernel,
): readonly ArtifactParam[] {
  const axes = persistent ? ([0, 1, 2] as const) : [];
  return [
    ...axes.map((axis) => ({ kind: "grid", axis }) as const),
    ...(counted ? [{ kind: "counter" } as const] : []),
    ...maps.map(({ name, tensor, box, swizzle, ragged, folded, grouped }): ArtifactParam => {
      const param = tile.params.find((candidate) => candidate.name === tensor);
      const dtype = param?.dtype ?? "f32";
      const dims = {
        ...(ragged === undefined ? {} : { ragged }),
        ...(folded === undefined ? {} : { folded }),
        ...(grouped === undefined ? {} : { grouped }),
      };
      return { kind: "tensor_map", name, tensor, dtype, box, swizzle, ...dims };
    }),
  ];
}

/** Divisors of the dims that the kernel has, largest power of two up to 16. */
function knownDivisors(
  tile: TileKernel,
  request: CompileRequest,
): Readonly<Record<string, number>> {
  const given = request.divisibility ?? {};
  for (const [dim, divisor] of Object.entries(given)) {
    if (Number.isSafeInteger(divisor) && divisor > 0 && Number.isInteger(Math.log2(divisor)))
      continue;
    throw new UnsupportedError({
      code: "TW2304",
      message: `the divisor of the dim ${dim} is no power of two`,
      seen: `${dim}: ${divisor}`,
      expected: "1, 2, 4, 8 or 16",
      remedy: "name the largest power of two that divides every size of the dim",
    });
  }
  return Object.fromEntries(
    tile.dims.flatMap((dim) => {
      const divisor = given[dim] ?? 1;
      return divisor > 1 ? [[dim, divisor] as const] : [];
    }),
  );
}

interface TileCompile {
  readonly artifact: Artifact;
  readonly lowered: Lowered;
  readonly context: PassContext;
}

/** @throws UnsupportedError TW2305, TW2306 for orders that are none or of tensors that are not packed */
function knownOrders(
  tile: TileKernel,
  { orders = {} }: CompileRequest,
): Readonly<Record<string, TensorOrder>> {
  const packed = tile.params.flatMap((param) =>
    param.kind === "tensor" && param.packed === true ? [param.name] : [],
  );
  for (const [name, order] of Object.entries(orders)) {
    if (!packed.includes(name))
      throw new UnsupportedError({
        code: "TW2306",
        message: `an order is given for ${name}, which is no packed tensor of ${tile.name}`,
        seen: `orders: { ${name}: … }`,
        expected: packed.length === 0 ? "no orders" : `orders of ${packed.join(", ")}`,
        remedy: `leave it out, or declare ${name} with packed(…)`,
      });
    if (order !== "rows") requireOrder(name, order);
  }
  return orders;
}

function compileLowered(
  tile: TileKernel,
  request: CompileRequest,
  options: PassOptions,
): TileCompile {
  return showingSources(tile, () => runStages(tile, request, options));
}

function runStages(tile: TileKernel, request: CompileRequest, options: PassOptions): TileCompile {
  const { target: spec } = request;
  const divisibility = knownDivisors(tile, request);
  const context = createContext(spec, divisibility, knownOrders(tile, request));
  const target = targetNamed(spec.target);
  requireArrivals(tile, context);
  const lowered = runPasses(withStages(tile), target.pipeline, context, options);
  checkRegisters(lowered.thread);
  const { persistent, counted } = lowered.thread;
  const perProgram =
    persistent && !counted && (wishesOf(tile).persistent === false || staysOnProgram(tile));
  answerResidence(tile, lowered.thread, context);
  answerTheRest(tile, context);
  const dtypes = request.specialization.dtypes ?? {};
  const { config, fixedDims } = tile;
  const emitted = target.emit(lowered.thread, { spec, dtypes, config, divisibility });
  const { threads, sharedBytes } = lowered.thread;
  const early = earlyTensors(lowered.scheduled.body.ops);
  const artifact: Artifact = {
    kernel: tile.name,
    entry: emitted.entry,
    target: spec,
    text: emitted.text,
    params: [
      ...artifactParams(tile, lowered.scheduled.orders),
      ...launchParams(tile, lowered.thread),
    ],
    ...(hasFeature(context, "dependent-launch") ? { dependentLaunch: true } : {}),
    ...(early.length > 0 ? { early } : {}),
    ...(lowered.thread.cluster > 1 ? { cluster: lowered.thread.cluster } : {}),
    ...(persistent
      ? {
          persistent: {
            blocksPerSm: perProgram ? 0 : 1,
            ...(hasSplitPrograms(lowered.scheduled) ? { blocksPerProgram: BLOCKS_OF_PROGRAM } : {}),
          },
        }
      : {}),
    dtypes,
    config,
    fixedDims,
    divisibility,
    threads,
    sharedBytes,
    hash: sha256(stableJson({ text: emitted.text, spec, threads, sharedBytes })),
    remarks: context.remarks,
  };
  return { artifact, lowered, context };
}

/** Whether the kernel's own roles take one program and end, instead of walking over programs(). */
function staysOnProgram({ body }: TileKernel): boolean {
  const has = (kind: Op["kind"]): boolean => body.ops.some((op) => op.kind === kind);
  return has("roles") && !has("walk");
}

/** Whether a launch has a block for each program: only where programs are counted through, not taken by a counter. */
function answerResidence(
  tile: TileKernel,
  { persistent, counted }: ThreadKernel,
  context: PassContext,
): void {
  const wish = wishesOf(tile).persistent;
  const loc = tile.body.ops[0]?.loc;
  if (wish === undefined || !persistent || counted || loc === undefined) return;
  const how = wish ? "blocks walk over the programs, as asked" : "a block for each program";
  answer(context, "persistent", how, loc);
}

/** Tile IR → artifact, for kernels that come from elsewhere than a definition. */
export function compileTile(
  tile: TileKernel,
  request: CompileRequest,
  options: PassOptions = {},
): Artifact {
  return compileLowered(tile, request, options).artifact;
}

/**
 * Compiles one specialisation of a kernel.
 * @throws KernelSourceError where the source is wrong, UnsupportedError where the target cannot run it
 */
export function compileKernel(
  definition: KernelDefinition,
  request: CompileRequest,
): CompiledKernel {
  const { tile, dependencies } = lowerKernel(definition, request.specialization);
  return { artifact: compileTile(tile, request), dependencies };
}

export function compile(definition: KernelDefinition, request: CompileRequest): Artifact {
  return compileKernel(definition, request).artifact;
}

/** What one pass left. */
export interface StageText {
  readonly pass: string;
  readonly level: StageLevel;
  readonly text: string;
}

/** The text of a kernel on every level of the compile. */
export interface CompileStages {
  /** JSON of the untyped program that the front end read. */
  readonly hir: string;
  readonly tile: string;
  /** After each pass, in order. */
  readonly passes: readonly StageText[];
  readonly scheduled: string;
  readonly thread: string;
  readonly source: string;
  readonly artifact: Artifact;
  /** Scheduled IR after its last pass, as data. */
  readonly kernel: ScheduledKernel;
  /** The files that the kernel was written in. */
  readonly files: readonly KernelSource[];
}

/** As `compile`, with every level's text: for `--emit` and for dumps. */
export function compileStages(
  definition: KernelDefinition,
  request: CompileRequest,
): CompileStages {
  const { tile, hir, sources } = lowerKernel(definition, request.specialization);
  const passes: StageText[] = [];
  const { artifact, lowered } = compileLowered(tile, request, {
    locations: true,
    verify: "passes",
    observe: ({ pass, level, text }) => void passes.push({ pass, level, text: text() }),
  });
  return {
    hir: `${JSON.stringify(hir, null, 2)}\n`,
    tile: printKernel(tile, { locations: true }),
    passes,
    scheduled: printScheduled(lowered.scheduled, { locations: true }),
    thread: printThreadKernel(lowered.thread, { locations: true }),
    source: artifact.text,
    artifact,
    kernel: lowered.scheduled,
    files: sources,
  };
}
