/**
 * [dsl/interpreter] The interpreter's face: prepares a kernel once, runs it on storage bytes. The meaning of every op is what the
 * generated program does; orders of sums stand in emit-axis.ts and dot.ts.
 */
import { sourcesOf } from "../core/kernel-sources.ts";
import type { Op, TileKernel } from "../ir/nodes.ts";
import type { Value } from "../ir/types.ts";
import { verifyKernel } from "../ir/verify.ts";
import { results } from "../ir/visit.ts";
import { type BoundRun, bindArguments, type RunArguments, type UnwrittenMode } from "./bind.ts";
import { CheckCollector } from "./checks.ts";
import { fastDotF32 } from "./dot.ts";
import type { Emission } from "./emission.ts";
import { generateProgram } from "./generate.ts";
import { createLibrary, type RunState } from "./library.ts";
import { formatPrint, type PrintRecord } from "./print-record.ts";
import { readValue, type ValueSnapshot } from "./snapshot.ts";

/** What a program did at one op, for debuggers. */
export interface OpEvent {
  readonly op: Op;
  readonly program: readonly [number, number, number];
  /** Results of the op, read on demand; they stand in memory only until the next op. */
  readonly read: () => readonly ValueSnapshot[];
}

export interface InterpreterOptions {
  /** `full` checks every access and every int operation; `off` only scalar loads, loop steps, trips and assertions. Default `full`. */
  readonly checks?: "off" | "full";
  /** Where `checks` are full: reading memory that nobody wrote is an error (default), or gives poison (NaN). */
  readonly unwritten?: UnwrittenMode;
  /** Sums of dots and float reductions in f64, rounded once: a reference that does not depend on any order. */
  readonly wideSums?: boolean;
  /** Distinct findings kept of one run; default 20. */
  readonly maxFindings?: number;
  /** Programs run from the last to the first: what depends on their order shows. */
  readonly backwards?: boolean;
  /** Text of a source file, for code frames; by default what is known of the files of a kernel that was lowered here. */
  readonly source?: (file: string) => string | undefined;
  /** Receives what `print` shows; default: a line on the console. */
  readonly onPrint?: (record: PrintRecord) => void;
  /** Called after every op. Slow: nothing is fused. */
  readonly onOp?: (event: OpEvent) => void;
}

/** A kernel ready to run. It holds its tiles' memory, so runs must not overlap. */
export interface InterpreterProgram {
  readonly kernel: TileKernel;
  /** The JavaScript that runs. */
  readonly source: string;
  /**
   * Runs all programs of the grid in order, x fastest, unless `backwards`. Tensors are written in place.
   * @throws LaunchError TW1320 when an argument does not fit
   * @throws KernelRunError TW13xx with everything the checks found
   */
  run(args: RunArguments): void;
}

interface GeneratedModule {
  readonly bind: (run: BoundRun) => void;
  readonly main: (x: number, y: number, z: number) => void;
  readonly buffers: Readonly<Record<string, ArrayLike<number>>>;
}

type Instantiate = (lib: Readonly<Record<string, unknown>>, arena: ArrayBuffer) => GeneratedModule;

/** Where blocks walk over programs, as many blocks as the generated program says; else one a program. */
function runGrid(
  main: GeneratedModule["main"],
  collector: CheckCollector,
  run: BoundRun,
  { walks, backwards }: { readonly walks: boolean; readonly backwards: boolean },
): void {
  const [sizeX, sizeY, sizeZ] = run.grid;
  const count = sizeX * sizeY * sizeZ;
  const blocks = walks ? Math.ceil(count / 2) : count;
  for (let i = 0; i < blocks; i++) {
    const n = backwards ? blocks - 1 - i : i;
    const [x, y, z] = [n % sizeX, Math.floor(n / sizeX) % sizeY, Math.floor(n / sizeX / sizeY)];
    collector.enter(x, y, z, n + 1);
    main(x, y, z);
  }
  collector.finish();
}

function printOn(options: InterpreterOptions, state: RunState): RunState["print"] {
  return (op, values) => {
    const record: PrintRecord = {
      label: op.label,
      type: op.x.type,
      program: state.collector.program,
      values: Float64Array.from(values),
    };
    if (options.onPrint === undefined) console.log(formatPrint(record));
    else options.onPrint(record);
  };
}

function observeOn(
  onOp: NonNullable<InterpreterOptions["onOp"]>,
  state: RunState,
  emission: Emission,
  buffers: GeneratedModule["buffers"],
): RunState["observe"] {
  return (op, scalars) => {
    const read = (): readonly ValueSnapshot[] =>
      results(op).map((value: Value, i) =>
        readValue(value, emission.expression(value), scalars[i], buffers),
      );
    onOp({ op, program: state.collector.program, read });
  };
}

/**
 * Translates a kernel to JavaScript and keeps it for any number of runs.
 * @throws InternalError TW91xx when the kernel breaks a rule of the IR
 */
export function prepareInterpreter(
  kernel: TileKernel,
  options: InterpreterOptions = {},
): InterpreterProgram {
  verifyKernel(kernel, "the front end");
  const checks = options.checks !== "off";
  const cap = options.maxFindings ?? 20;
  const source = options.source ?? sourcesOf(kernel);
  const newCollector = (): CheckCollector => new CheckCollector(kernel, cap, source);
  const state: RunState = {
    collector: newCollector(),
    print: () => undefined,
    observe: () => undefined,
  };
  state.print = printOn(options, state);
  const sites: Op[] = [];
  const library = createLibrary(sites, state, fastDotF32());
  const emissionOptions = {
    checks,
    wideSums: options.wideSums === true,
    observed: options.onOp !== undefined,
  };
  const generated = generateProgram(kernel, emissionOptions, Object.keys(library));
  sites.push(...generated.emission.sites);
  const instantiate = new Function("lib", "arena", generated.source) as Instantiate;
  const module = instantiate(library, new ArrayBuffer(generated.arenaBytes));
  if (options.onOp !== undefined) {
    state.observe = observeOn(options.onOp, state, generated.emission, module.buffers);
  }
  const walks = kernel.body.ops.some((op) => op.kind === "walk");
  return {
    kernel,
    source: generated.source,
    run: (args) => {
      const bound = bindArguments(kernel, args, checks, options.unwritten ?? "error");
      state.collector = newCollector();
      module.bind(bound);
      runGrid(module.main, state.collector, bound, {
        walks,
        backwards: options.backwards === true,
      });
      state.collector.throwIfAny();
    },
  };
}

/** Prepares and runs a kernel once. Keep a prepared program where it runs more often. */
export function interpret(
  kernel: TileKernel,
  args: RunArguments,
  options: InterpreterOptions = {},
): void {
  prepareInterpreter(kernel, options).run(args);
}
