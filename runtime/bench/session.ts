/** [runtime/bench] Runs problems on one device: prepares contenders, checks every output, times in alternating rounds, collects the report. */
import { type DType, type KernelDefinition, LaunchError } from "../../dsl/index.ts";
import type { Device } from "../device.ts";
import { CallArguments } from "./arguments.ts";
import { attentionOf } from "./attention.ts";
import { productCeiling, voidNote } from "./ceilings.ts";
import { checkContender } from "./check.ts";
import type { BenchCall, Contender, Peers, Reference } from "./contender.ts";
import type { ForeignText } from "./foreign.ts";
import { type Measured, type MeasureOptions, Meter, type TimingMode } from "./measure.ts";
import { modesFor, setsFor } from "./modes.ts";
import { openPeers } from "./open-peers.ts";
import { type Config, ownContender, prepareOwn } from "./own-contender.ts";
import {
  type BenchProblem,
  type BenchSubject,
  type CompleteProblem,
  completeProblem,
  costOf,
  subjectOf,
} from "./problem.ts";
import { productOf } from "./product.ts";
import { hostReference, requireReference } from "./reference.ts";
import {
  type BenchReport,
  type BenchResult,
  type Ceilings,
  type ContenderResult,
  type Limits,
  REPORT_FORMAT,
  type Rivals,
  timingOf,
} from "./report.ts";
import { failedResult, fastestOf, type Passing, type Row, resultOf } from "./rows.ts";
import { chooseVendor } from "./vendor.ts";

export interface BenchOptions {
  /** One contender of our own for each; the device's default config where empty. */
  readonly configs?: readonly Config[];
  /** Absent: cold always; layers for products of at most 128 rows, else sustained, both on hardware only. */
  readonly modes?: readonly TimingMode[];
  readonly measure?: Partial<MeasureOptions>;
  /** False: no vendor's library. */
  readonly vendor?: boolean;
  readonly foreign?: readonly ForeignText[];
  /** False: outputs are not checked, and the report says so. */
  readonly check?: boolean;
  /** Told what is being done. */
  readonly onProgress?: (line: string) => void;
}

const HARDWARE: MeasureOptions = {
  rounds: 5,
  warmupMs: 15,
  repeatMs: 60,
  sustainedMs: 250,
  layersMs: 20,
};
const SOFTWARE: MeasureOptions = { ...HARDWARE, rounds: 3, warmupMs: 0, repeatMs: 20 };

export class BenchSession {
  readonly device: Device;
  readonly #options: BenchOptions;
  readonly #measure: MeasureOptions;
  readonly #peers: Peers;
  readonly #meter: Meter;
  readonly #startedAt = new Date().toISOString();
  readonly #results: BenchResult[] = [];
  readonly #notes: string[] = [];
  #ceilings: Ceilings = { products: {} };

  private constructor(device: Device, options: BenchOptions, peers: Peers) {
    this.device = device;
    this.#options = options;
    this.#measure = { ...(device.info.hardware ? HARDWARE : SOFTWARE), ...options.measure };
    this.#peers = peers;
    this.#meter = new Meter(device, () => peers.chipState());
  }

  /** Loads what the device is compared with and measures its bandwidth. */
  static async open(device: Device, options: BenchOptions = {}): Promise<BenchSession> {
    const peers = await openPeers(device, options.foreign ?? []);
    const session = new BenchSession(device, options, peers);
    const { info } = device;
    if (!info.hardware)
      session.#notes.push(
        `${info.name} is no hardware GPU: times are of the host's clock, and absolute numbers mean little`,
      );
    if (!session.#meter.usesEvents && info.hardware)
      session.#notes.push(`${info.driver} has no events: times are of the host's clock`);
    if (info.driver !== "interpreter" && info.driver !== "null") {
      const copy = await peers.copyCeiling();
      session.#ceilings = { ...session.#ceilings, copy };
      const note = voidNote(info.name, copy);
      if (note !== undefined) session.#notes.push(note);
    }
    return session;
  }

  /**
   * Measures one problem. A contender that cannot be compiled or computes something else is reported with the reason and not timed.
   * @param configs one contender of our own for each; undefined stands for the config that a plain launch gets
   * @throws LaunchError TW33xx where the problem itself cannot be run
   */
  async run(
    what: KernelDefinition | BenchSubject,
    bench: BenchProblem,
    configs: readonly (Config | undefined)[] = this.#configs(),
  ): Promise<BenchResult> {
    const subject = subjectOf(what);
    const problem = completeProblem(subject.kernel, meant(subject, bench, configs));
    if (this.#options.check !== false) requireReference(subject, problem);
    const cost = costOf(subject, problem);
    const modes = this.#modesOf(subject, problem, cost.bytes);
    this.#say(`${subject.kernel.name} ${problem.name}`);
    const args = new CallArguments(
      this.device,
      subject,
      problem,
      setsFor(this.device, cost.bytes, modes.includes("layers")),
    );
    const closers: { close?(): void }[] = [args];
    try {
      const call: BenchCall = {
        device: this.device,
        kernel: subject.kernel.name,
        problem,
        scalars: args.scalars,
        sets: args.sets,
        matmul: problem.functions === undefined ? subject.matmul : undefined,
        attention: subject.attention,
      };
      const operandDType = productOf(call)?.sets[0]?.x.dtype ?? attentionOf(call)?.dtype;
      if (operandDType !== undefined) await this.#measureProduct(operandDType);
      const limits = { ...cost, operandDType, ceilings: this.#ceilings };
      const checked = await this.#checkedContenders(args, call, configs, closers);
      const contenders = await this.#time(checked, call, modes, limits);
      const result: BenchResult = {
        kernel: subject.kernel.name,
        problem: problem.name,
        dims: problem.dims,
        dtypes: problem.dtypes,
        ...cost,
        ...(operandDType === undefined ? {} : { operandDType }),
        numSets: args.sets.length,
        checkedBy: checked.how,
        contenders,
      };
      this.#results.push(result);
      return result;
    } finally {
      for (const opened of closers.reverse()) opened.close?.();
    }
  }

  report(): BenchReport {
    const { driver, name, hardware, versions } = this.device.info;
    return {
      format: REPORT_FORMAT,
      startedAt: this.#startedAt,
      device: { driver, name, hardware, versions },
      ceilings: this.#ceilings,
      notes: [...new Set([...this.#notes, ...this.#peers.notes])],
      results: this.#results,
    };
  }

  close(): void {
    this.#meter.close();
    this.#peers.close();
  }

  #say(line: string): void {
    this.#options.onProgress?.(line);
  }

  #modesOf(subject: BenchSubject, problem: CompleteProblem, bytes: number): readonly TimingMode[] {
    const { modes } = this.#options;
    if (modes === undefined) return modesFor(this.device, this.#meter, subject, problem, bytes);
    return modes.filter((mode) => mode !== "layers" || this.device.capture !== undefined);
  }

  async #measureProduct(dtype: DType): Promise<void> {
    if (this.#options.vendor === false || dtype in this.#ceilings.products) return;
    this.#say(`ceiling of products of ${dtype}`);
    const ceiling = await productCeiling(this.device, this.#peers, this.#meter, dtype);
    const products = { ...this.#ceilings.products };
    if (ceiling !== undefined) products[dtype] = ceiling;
    this.#ceilings = { ...this.#ceilings, products };
  }

  #configs(): readonly (Config | undefined)[] {
    const { configs = [] } = this.#options;
    return configs.length === 0 ? [undefined] : configs;
  }

  async #checkedContenders(
    args: CallArguments,
    call: BenchCall,
    configs: readonly (Config | undefined)[],
    closers: { close?(): void }[],
  ): Promise<Checked> {
    const { vendor, check } = this.#options;
    const failed: ContenderResult[] = [];
    const own: Contender[] = [];
    for (const config of configs) {
      const contender = ownContender(args, config);
      const failure = await prepareOwn(this.device, args.subject.kernel, args, config);
      if (failure === undefined) own.push(contender);
      else failed.push(failedResult(contender, failure));
    }
    const foreign = this.#peers.foreign(call);
    closers.push(...foreign);
    const offers = vendor === false ? [] : this.#peers.vendor(call);
    closers.push(...offers);
    const reference =
      check === false
        ? undefined
        : ((await this.#peers.reference(call)) ?? (await hostReference(args, call.matmul)));
    if (reference !== undefined) closers.push(reference);
    const passing: Passing[] = [];
    for (const contender of [...own, ...foreign]) {
      const result = await checkContender(args, contender, reference);
      if (result === undefined || result.passed) passing.push({ contender, check: result });
      else failed.push({ ...failedResult(contender, result.message ?? ""), check: result });
    }
    const how = reference?.how ?? "nobody";
    return { args, passing, failed, offers, reference, how };
  }

  async #time(
    checked: Checked,
    call: BenchCall,
    modes: readonly TimingMode[],
    limits: Limits,
  ): Promise<readonly ContenderResult[]> {
    const { args, passing, offers, reference } = checked;
    const numSets = call.sets.length;
    const { choices, refused } = await chooseVendor(
      this.#meter,
      offers,
      modes,
      numSets,
      (contender) => checkContender(args, contender, reference),
    );
    const rows: Row[] = [
      ...passing.map(({ contender, check }) => ({ contender, check, timings: [] })),
      ...choices.map(({ best, check }) => ({ best, check, contender: best.cold, timings: [] })),
    ];
    for (const mode of modes) {
      const running = rows.map((row) => row.best?.[mode] ?? row.contender);
      for (let set = 0; set < numSets; set++) args.poison(set);
      const measured = await this.#measureMode(mode, running, numSets);
      if (measured === undefined) continue;
      const rivals: Rivals = {
        vendor: fastestOf("vendor", rows, measured),
        foreign: fastestOf("foreign", rows, measured),
      };
      rows.forEach((row, i) => {
        const times = measured[i];
        if (times !== undefined) row.timings.push(timingOf(mode, times, limits, rivals));
      });
    }
    const wrong = refused.map(({ contender, check }) => ({
      ...failedResult(contender, check.message ?? ""),
      check,
    }));
    return [...rows.map(resultOf), ...checked.failed, ...wrong];
  }

  async #measureMode(
    mode: TimingMode,
    contenders: readonly Contender[],
    numSets: number,
  ): Promise<readonly Measured[] | undefined> {
    this.#say(`  ${mode}: ${contenders.length} contenders, ${numSets} sets`);
    switch (mode) {
      case "cold":
        return this.#meter.cold(contenders, numSets, this.#measure);
      case "sustained":
        return this.#meter.sustained(contenders, numSets, this.#measure);
      case "layers":
        return this.#meter.layers(contenders, numSets, this.#measure);
      default:
        return mode satisfies never;
    }
  }
}

/**
 * The problem with what the configs say of its meaning: which keys a query of attention sees.
 * @throws LaunchError TW3306 where they say different things
 */
function meant(
  { attention }: BenchSubject,
  problem: BenchProblem,
  configs: readonly (Config | undefined)[],
): BenchProblem {
  if (attention === undefined) return problem;
  const { causal: key } = attention;
  const values = new Set(configs.map((config) => (config ?? problem.config)?.[key]));
  const [value] = values;
  if (values.size > 1)
    throw new LaunchError({
      code: "TW3306",
      message: "the configs of one problem do not compute the same",
      seen: [...values].map((one) => `${key}: ${one ?? "the default"}`).join("; "),
      expected: `one value of ${key}`,
      remedy: "measure them in runs of their own",
    });
  return value === undefined
    ? problem
    : { ...problem, config: { ...problem.config, [key]: value } };
}

/** Everything that was prepared for a problem. */
interface Checked {
  readonly args: CallArguments;
  readonly passing: readonly Passing[];
  readonly failed: readonly ContenderResult[];
  readonly offers: readonly Contender[];
  readonly reference: Reference | undefined;
  readonly how: string;
}
