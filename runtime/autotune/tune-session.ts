/** [runtime/autotune] What a tuning run holds on a device: scratch tensors, peers, the judge, limits. Opened once there is something to run. */
import { nodeModule, TilewrightError } from "../../dsl/index.ts";
import { CallArguments } from "../bench/arguments.ts";
import { productCeiling } from "../bench/ceilings.ts";
import type { BenchCall, Contender, Peers } from "../bench/contender.ts";
import { type MeasureOptions, Meter, type TimingMode } from "../bench/measure.ts";
import { modesFor, setsFor } from "../bench/modes.ts";
import { openPeers } from "../bench/open-peers.ts";
import { type Config, ownContender, prepareOwn, showConfig } from "../bench/own-contender.ts";
import { type BenchSubject, costOf } from "../bench/problem.ts";
import { productOf } from "../bench/product.ts";
import { type Ceilings, floorUs } from "../bench/report.ts";
import { CompilePool } from "./compile-pool.ts";
import { Judge } from "./judge.ts";
import { dotPerSecond, type Machine, machineOf } from "./machine.ts";
import type { Cost } from "./rank.ts";
import { smallerConfigs } from "./smaller-configs.ts";
import type { TunableDevice } from "./tunable.ts";
import type { TuneProblem } from "./tune-problem.ts";

const { availableParallelism } = nodeModule("node:os");

/** From so many milliseconds on, the vendor's product is measured to know the limit; below, the data sheet must do. */
const MEASURED_LIMIT_MS = 30_000;
/** Smaller configs that are tried as the trusted one where the default does not fit. */
const TRUSTED_TRIED = 8;

export interface SessionOptions {
  readonly budgetMs: number;
  readonly compileMs: number;
  readonly mode?: TimingMode | undefined;
  readonly processes?: number | undefined;
}

const MOST_PROCESSES = 8;

export class TuneSession {
  readonly device: TunableDevice;
  readonly args: CallArguments;
  readonly peers: Peers;
  readonly meter: Meter;
  readonly cost: Cost;
  /** How the last few are timed. */
  readonly mode: TimingMode;
  /** Where candidates are compiled; undefined on devices that run the tile IR. */
  readonly pool: CompilePool | undefined;
  readonly #call: BenchCall;
  #judge: Judge | undefined;
  #floorUs: number | undefined;

  private constructor(
    device: TunableDevice,
    subject: BenchSubject,
    { problem, given }: TuneProblem,
    peers: Peers,
    { mode, compileMs, processes }: SessionOptions,
  ) {
    this.device = device;
    this.peers = peers;
    this.cost = costOf(subject, problem);
    this.meter = new Meter(device, () => undefined);
    const suited = modesFor(device, this.meter, subject, problem, this.cost.bytes);
    this.mode = mode ?? suited[suited.length - 1] ?? "cold";
    const numSets = setsFor(device, this.cost.bytes, this.mode === "layers");
    try {
      this.args = new CallArguments(device, subject, problem, numSets, given);
    } catch (error) {
      this.meter.close();
      throw error;
    }
    const cores = Math.max(1, Math.min(MOST_PROCESSES, availableParallelism() - 1));
    if (device.target !== undefined)
      this.pool = new CompilePool({ processes: processes ?? cores, deadlineMs: compileMs });
    this.#call = {
      device,
      kernel: subject.kernel.name,
      problem,
      scalars: this.args.scalars,
      sets: this.args.sets,
      matmul: problem.functions === undefined ? subject.matmul : undefined,
      attention: subject.attention,
    };
  }

  static async open(
    device: TunableDevice,
    subject: BenchSubject,
    what: TuneProblem,
    options: SessionOptions,
  ): Promise<TuneSession> {
    const peers = await openPeers(device, []);
    let session: TuneSession | undefined;
    try {
      session = new TuneSession(device, subject, what, peers, options);
      await session.#measureLimits(options.budgetMs);
      session.#judge = await Judge.open(session.args, session.#call, peers, () =>
        session === undefined ? Promise.resolve(undefined) : session.#runTrusted(),
      );
      return session;
    } catch (error) {
      if (session === undefined) peers.close();
      else session.close();
      throw error;
    }
  }

  get machine(): Machine {
    return machineOf(this.device.info, this.device.limits, this.device.target);
  }

  get floorUs(): number | undefined {
    return this.#floorUs;
  }

  /** Undefined where no config of the kernel runs that could be trusted. */
  get judge(): Judge | undefined {
    return this.#judge;
  }

  contender(config: Config): Contender {
    return ownContender(this.args, config);
  }

  /** Microseconds of one config in one round of a mode. */
  async measure(
    contender: Contender,
    mode: TimingMode,
    options: MeasureOptions,
  ): Promise<readonly number[]> {
    const numSets = this.args.sets.length;
    switch (mode) {
      case "cold":
        return this.meter.coldSamples(contender, numSets, options);
      case "sustained": {
        const [one] = await this.meter.sustained([contender], numSets, { ...options, rounds: 1 });
        return one?.samples ?? [];
      }
      case "layers": {
        const all = await this.meter.layers([contender], numSets, { ...options, rounds: 1 });
        return all?.[0]?.samples ?? this.meter.coldSamples(contender, numSets, options);
      }
      default:
        return mode satisfies never;
    }
  }

  close(): void {
    this.pool?.close();
    this.#judge?.close();
    this.meter.close();
    this.args.close();
    this.peers.close();
  }

  /** Runs the first config that there is, from the default on downwards, on the first set. */
  async #runTrusted(): Promise<string | undefined> {
    const { kernel } = this.args.subject;
    const defaults = { ...kernel.config, ...this.args.problem.config };
    for (const config of [defaults, ...smallerConfigs(kernel, defaults, TRUSTED_TRIED)]) {
      if ((await prepareOwn(this.device, kernel, this.args, config)) !== undefined) continue;
      try {
        this.contender(config).run(0);
        await this.device.synchronize();
        return showConfig(config);
      } catch (error) {
        if (!(error instanceof TilewrightError)) throw error;
      }
    }
    return undefined;
  }

  async #measureLimits(budgetMs: number): Promise<void> {
    const { device, peers, cost, machine } = this;
    if (!device.info.hardware) return; // limits of a software device say nothing
    const operandDType = productOf(this.#call)?.sets[0]?.x.dtype;
    const copy = await peers.copyCeiling();
    let ceilings: Ceilings = { copy, products: {} };
    if (operandDType !== undefined) {
      const measured =
        budgetMs >= MEASURED_LIMIT_MS
          ? await productCeiling(device, peers, this.meter, operandDType)
          : undefined;
      const nominal = { perSecond: dotPerSecond(machine, [operandDType]), how: "data sheet" };
      if (measured !== undefined || device.target?.arch !== undefined)
        ceilings = { copy, products: { [operandDType]: measured ?? nominal } };
    }
    this.#floorUs = floorUs({ ...cost, operandDType, ceilings });
  }
}
