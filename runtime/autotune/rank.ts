/** [runtime/autotune] The cost model: predicts the time of a config from its tile IR, and again from its artifact. It orders; measurements decide. */
import type { Artifact } from "../../codegen/index.ts";
import type { KernelDefinition, TileKernel } from "../../dsl/index.ts";
import type { Config } from "../bench/own-contender.ts";
import type { Dims } from "./buckets.ts";
import { dotPerSecond, type Machine } from "./machine.ts";
import { type ProgramWork, workOf } from "./work.ts";

/** Why a config is predicted to take so long. */
export interface Prediction {
  readonly us: number;
  readonly programs: number;
  /** Rounds of programs that fit the device at once. */
  readonly waves: number;
  /** Programs that share a multiprocessor. */
  readonly resident: number;
  /** Operations done over operations asked for; 1 without padding or where nothing is known of the operations. */
  readonly padding: number;
  /** Factor for what the compiler said of it. */
  readonly penalty: number;
}

/** What a call costs at least, where the subject says it. */
export interface Cost {
  readonly bytes: number;
  readonly flops: number;
}

/** Programs of one multiprocessor at most. */
const MOST_RESIDENT = 16;
/** Threads of a program whose text does not exist yet. */
const GUESSED_THREADS = 128;
/** Threads and bytes of registers of a multiprocessor. */
const RESIDENT_THREADS = 2048;
const REGISTER_BYTES = 256 * 1024;
/** Bytes of registers for one thread: 255 of 4 bytes, less what addresses and operands take. */
const THREAD_BYTES = 4 * 200;
const SPILLED = 2.5;
/** A pipeline or copy that the compiler could not make as asked. */
const DEGRADED = 1.15;
const DEGRADED_REMARK = /instead of|does not apply|not applied|spill/i;
/** Share of a copy's latency that stays visible behind each further stage. */
const HIDDEN_BY_STAGE = 0.35;

export interface RankInput {
  readonly kernel: KernelDefinition;
  readonly tile: TileKernel;
  readonly config: Config;
  readonly dims: Dims;
  readonly cost: Cost;
  readonly machine: Machine;
  /** Where the config was compiled. */
  readonly artifact?: Pick<Artifact, "threads" | "sharedBytes" | "persistent" | "remarks">;
}

/** @throws whatever the kernel's `grid` throws for sizes that it cannot deal with */
export function predict(input: RankInput): Prediction {
  const { kernel, tile, config, dims, cost, machine, artifact } = input;
  const given = kernel.grid(dims, config);
  const grid = typeof given === "number" ? [given] : given;
  const programs = grid.reduce((product, count) => product * count, 1);
  const work = workOf(tile, dims, grid);
  const threads = artifact?.threads ?? guessedThreads(config);
  const resident = residentPrograms(work, machine, threads, artifact);
  const slots = machine.multiprocessors * resident;
  const waves = Math.max(1, Math.ceil(programs / slots));
  const here = Math.min(resident, Math.max(1, Math.ceil(programs / machine.multiprocessors)));
  const program = programUs(work, machine, tile, here);
  const fromMemory = (Math.max(cost.bytes, 1) / machine.memoryPerSecond) * 1e6;
  const padding = cost.flops > 0 ? Math.max(1, (programs * work.dotOps) / cost.flops) : 1;
  const penalty = penaltyOf(work, threads, artifact);
  const us = machine.launchUs + Math.max(waves * program, fromMemory) * penalty;
  return { us, programs, waves, resident, padding, penalty };
}

/** Microseconds of the programs that run on one multiprocessor at once. */
function programUs(
  work: ProgramWork,
  machine: Machine,
  tile: TileKernel,
  resident: number,
): number {
  const share = machine.multiprocessors;
  const dtypes = tile.params.flatMap((param) =>
    param.kind === "tensor" && param.access === "in" ? [param.dtype] : [],
  );
  const perSecond = dotPerSecond(machine, dtypes);
  const computing =
    work.dotOps / (perSecond / share) + work.elementOps / (machine.elementPerSecond / share);
  const moving = (work.loadedBytes + work.storedBytes) / (machine.cachePerSecond / share);
  const hidden = HIDDEN_BY_STAGE ** (work.stages - 1) / resident;
  const waiting = (1 + work.trips * hidden) * machine.latencyUs * 1e-6;
  return (resident * Math.max(computing, moving) + waiting) * 1e6;
}

function residentPrograms(
  work: ProgramWork,
  machine: Machine,
  threads: number,
  artifact: RankInput["artifact"],
): number {
  if (artifact?.persistent !== undefined) return Math.max(1, artifact.persistent.blocksPerSm);
  const shared = artifact?.sharedBytes ?? work.stagedBytes;
  const byShared = shared === 0 ? MOST_RESIDENT : Math.floor(machine.sharedBytes / shared);
  const byThreads = Math.floor(RESIDENT_THREADS / threads);
  const byRegisters =
    work.carriedBytes === 0 ? MOST_RESIDENT : Math.floor(REGISTER_BYTES / (2 * work.carriedBytes));
  return Math.max(1, Math.min(MOST_RESIDENT, byShared, byThreads, byRegisters));
}

function penaltyOf(work: ProgramWork, threads: number, artifact: RankInput["artifact"]): number {
  const spills = work.carriedBytes / threads > THREAD_BYTES;
  const isDegraded =
    artifact?.remarks.some(({ message }) => DEGRADED_REMARK.test(message)) ?? false;
  return (artifact !== undefined && spills ? SPILLED : 1) * (isDegraded ? DEGRADED : 1);
}

function guessedThreads(config: Config): number {
  const warps = config["warps"];
  return typeof warps === "number" ? warps * 32 : GUESSED_THREADS;
}
