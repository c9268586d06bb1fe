/** [runtime/autotune] One tuning run: enumerate, rank, compile, judge, time, choose, keep. The parts have files of their own. */
import { DeviceError, lowerKernel, type Specialization } from "../../dsl/index.ts";
import type { MeasureOptions } from "../bench/measure.ts";
import type { Config } from "../bench/own-contender.ts";
import type { BenchSubject, CompleteProblem } from "../bench/problem.ts";
import { spreadOf } from "../bench/statistics.ts";
import { bucketDistance, bucketName, stridedDims } from "./buckets.ts";
import { lostWith, prepareCandidates, type Ready } from "./candidates.ts";
import { deviceName, measuredWith, rememberHash } from "./identity.ts";
import { type Runner, race } from "./race.ts";
import { type Ranked, rankCandidates } from "./ranking.ts";
import type { TuningKey, TuningStore } from "./records.ts";
import {
  type Candidate,
  configKey,
  enumerateSpace,
  neighbours,
  productsOf,
  wishesBeside,
} from "./space.ts";
import { appliesTo, deviceClasses, tunedConfigs } from "./store.ts";
import type { TunableDevice } from "./tunable.ts";
import type { TuneOptions, TunePhase, TuneProgress, TuneResult } from "./tune.ts";
import { TuneBook } from "./tune-book.ts";
import type { TuneProblem } from "./tune-problem.ts";
import { noneRight, resultOf } from "./tune-result.ts";
import { TuneSession } from "./tune-session.ts";

/** Shares of the budget by whose end a phase is over. */
const RANKED_BY = 0.25;
const TIMED_BY = 0.85;
/** Share of the time that is left for a wave which goes into compiling it; the rest times it. */
const COMPILING = 0.7;
/** Configs of a wave: few enough that the promising ones are timed before much is compiled. */
const HARDWARE_WAVE = 48;
const SOFTWARE_WAVE = 12;
/** Times that the surroundings of the best are looked at. */
const REFINEMENTS = 4;
/** A further wave is worth it where so much of the budget is left for it. */
const LEAST_WAVE = 0.1;

const ROUNDS = 3;
const FINAL_ROUNDS = 5;
/** Entries of tables, and winners of other buckets, that are tried first. */
const MOST_KNOWN = 6;

const HARDWARE_BUDGET_MS = 60_000;
const SOFTWARE_BUDGET_MS = 20_000;
const MOST_COMPILE_MS = 30_000;
const QUICK: MeasureOptions = { rounds: 1, warmupMs: 1, repeatMs: 6, sustainedMs: 60, layersMs: 8 };
const CAREFUL: MeasureOptions = {
  rounds: 1,
  warmupMs: 5,
  repeatMs: 25,
  sustainedMs: 120,
  layersMs: 20,
};

export class TuneRun {
  readonly #device: TunableDevice;
  readonly #subject: BenchSubject;
  readonly #what: TuneProblem;
  readonly #problem: CompleteProblem;
  readonly #options: TuneOptions;
  readonly #store: TuningStore;
  readonly #budgetMs: number;
  readonly #start = performance.now();
  #best: { readonly config: Config; readonly us: number } | undefined;
  #session: TuneSession | undefined;
  #checkedBy: string | undefined;

  constructor(
    device: TunableDevice,
    subject: BenchSubject,
    what: TuneProblem,
    options: TuneOptions,
  ) {
    this.#device = device;
    // A caller's tensors and functions are not those that the subject's reference and costs are for.
    const isOwn = what.given === undefined && what.problem.functions === undefined;
    this.#subject = isOwn ? subject : plainSubject(subject, what.given !== undefined);
    this.#what = what;
    this.#problem = what.problem;
    this.#options = options;
    this.#store = options.store ?? device.tuning;
    this.#budgetMs =
      options.budgetMs ?? (device.info.hardware ? HARDWARE_BUDGET_MS : SOFTWARE_BUDGET_MS);
  }

  async run(): Promise<TuneResult> {
    const { kernel } = this.#subject;
    const { dims } = this.#problem;
    const key = this.#identify();
    const made = measuredWith(this.#device.info);
    const candidates = enumerateSpace(kernel, this.#known(key), this.#options.configs);
    const incumbent = candidates.find(({ origin }) => origin === "known")?.key;
    const again = this.#options.again === true;
    const book = new TuneBook(this.#store, key, dims, made, { again, incumbent });
    const fresh = candidates.filter((candidate) => !book.has(candidate.key));
    const [fastest] = book.finalists;
    this.#noteBest(fastest?.config, fastest?.us?.median);
    const isOpen = fresh.length > 0 || !book.hasWinner;
    const beside = isOpen ? await this.#measureAll(fresh, book) : [];
    const winner = book.choose();
    if (winner === undefined) throw noneRight(kernel.name, book.records);
    this.#device.refreshTuning(kernel);
    const tried = candidates.filter((candidate) => book.has(candidate.key)).length;
    this.#say("done", tried, candidates.length);
    return resultOf({
      key,
      problem: this.#problem,
      subject: this.#subject,
      winner,
      records: book.records,
      candidates: [...candidates, ...beside],
      fresh: [...fresh, ...beside],
      floorUs: this.#session?.floorUs,
      checkedBy: this.#checkedBy,
      elapsedMs: this.#elapsed(),
      device: this.#device.info.name,
    });
  }

  /** @returns what was tried beside the space */
  async #measureAll(fresh: readonly Candidate[], book: TuneBook): Promise<readonly Candidate[]> {
    const session = await TuneSession.open(this.#device, this.#subject, this.#what, {
      budgetMs: this.#budgetMs,
      compileMs: this.#options.compileMs ?? Math.min(MOST_COMPILE_MS, this.#budgetMs / 3),
      mode: this.#options.mode,
      processes: this.#options.processes,
    });
    this.#session = session;
    this.#checkedBy = session.judge?.how;
    let isHung = false;
    try {
      const ready: Ready[] = [];
      await this.#waves(fresh, session, book, ready);
      const beside = await this.#refine(fresh, session, book, ready);
      await this.#timeFinalists(ready, session, book);
      return beside;
    } catch (error) {
      isHung = error instanceof DeviceError && error.code === "TW3344";
      throw error;
    } finally {
      if (isHung)
        session.pool?.close(); // freeing its memory would wait for the device
      else session.close();
    }
  }

  /**
   * Compiles and times the most promising, then, while there is time, the next. The best so far stands in every wave.
   * @param all gets what may be timed
   */
  async #waves(
    candidates: readonly Candidate[],
    session: TuneSession,
    book: TuneBook,
    all: Ready[],
  ): Promise<void> {
    const { ranked, refused } = await this.#rank(candidates, session);
    for (const { candidate, reason } of refused)
      book.keepFailure(candidate.config, "failed", reason);
    let rest = ranked;
    while (rest.length > 0) {
      const now = this.#elapsed();
      const until = now + COMPILING * (this.#budgetMs * TIMED_BY - now);
      const wave = rest.slice(0, this.#device.info.hardware ? HARDWARE_WAVE : SOFTWARE_WAVE);
      const { ready, left } = await this.#prepare(wave, session, book, until);
      const [fastest] = book.finalists.map(({ config }) => configKey(config));
      const yardstick = all.filter(({ candidate }) => candidate.key === fastest);
      ready.sort((a, b) => a.predictedUs - b.predictedUs);
      all.push(...ready);
      await this.#timeAll([...yardstick, ...ready], session, book);
      if (left.length === wave.length || this.#isPast(TIMED_BY - LEAST_WAVE)) break;
      rest = [...left, ...rest.slice(wave.length)];
    }
  }

  /** Where time is left: steps from the best so far that the model ranked too low to be tried, and clusters of blocks. */
  async #refine(
    fresh: readonly Candidate[],
    session: TuneSession,
    book: TuneBook,
    ready: Ready[],
  ): Promise<readonly Candidate[]> {
    const inSpace = new Set(fresh.map(({ key }) => key));
    const beside: Candidate[] = [];
    const isChosen = (this.#options.configs ?? []).length > 0;
    for (let i = 0; i < REFINEMENTS && !isChosen; i++) {
      const [best] = book.finalists;
      if (best === undefined || this.#isPast(TIMED_BY - LEAST_WAVE)) break;
      const near = neighbours(this.#subject.kernel, best.config, this.#besides(best.config));
      const untried = near.filter(({ key }) => !book.has(key));
      if (untried.length === 0) break;
      beside.push(...untried.filter(({ key }) => !inSpace.has(key)));
      for (const { key } of untried) inSpace.add(key);
      await this.#waves(untried, session, book, ready);
    }
    return beside;
  }

  /** Wishes of a schedule, for products where the hardware has roles: those that do not change what sums keep. */
  #besides(config: Config): readonly Config[] {
    const features = this.#device.target?.features ?? [];
    if (!features.includes("wgmma")) return [];
    const { tile } = lowerKernel(this.#subject.kernel, { ...this.#specialization(), config });
    const { dtype, rings } = productsOf(tile);
    return dtype === undefined ? [] : wishesBeside(config, dtype, rings);
  }

  #rank(fresh: readonly Candidate[], session: TuneSession) {
    const { kernel } = this.#subject;
    const { dims } = this.#problem;
    return rankCandidates(fresh, {
      kernel,
      specialization: this.#specialization(),
      dims,
      cost: session.cost,
      machine: session.machine,
      isOver: () => this.#isPast(RANKED_BY),
      onRanked: (done, total) => this.#say("rank", done, total),
    });
  }

  /** @returns those that are ready, and those of which nothing is known yet */
  async #prepare(
    ranked: readonly Ranked[],
    session: TuneSession,
    book: TuneBook,
    untilMs: number,
  ): Promise<{ readonly ready: Ready[]; readonly left: readonly Ranked[] }> {
    const ready: Ready[] = [];
    const known = new Set<Ranked>();
    await prepareCandidates(session, ranked, {
      now: () => this.#elapsed(),
      deadlineMs: untilMs,
      onOutcome: (one, outcome, done) => {
        if (outcome.kind !== "cut") known.add(one);
        if (outcome.kind === "ready") ready.push(outcome.ready);
        else if (outcome.kind !== "cut")
          book.keepFailure(one.candidate.config, outcome.kind, outcome.reason);
        this.#say("compile", done, ranked.length);
      },
    });
    return { ready, left: ranked.filter((one) => !known.has(one)) };
  }

  async #timeAll(ready: readonly Ready[], session: TuneSession, book: TuneBook): Promise<void> {
    const options = { ...QUICK, ...this.#options.measure };
    const rounds = this.#options.measure?.rounds ?? ROUNDS;
    let done = 0;
    await race(
      runnersOf(ready, (contender) => session.measure(contender, "cold", options)),
      {
        rounds,
        now: () => this.#elapsed(),
        deadlineMs: this.#budgetMs * TIMED_BY,
        onMeasured: (i, { samples }) => {
          if (samples.length > 0)
            this.#noteBest(ready[i]?.candidate.config, spreadOf(samples).median);
          this.#say("time", ++done, ready.length * rounds);
        },
        onFailed: (i) => this.#requireDevice(ready[i], book),
        onRound: (standings) => book.keepStandings(ready, standings),
      },
    );
  }

  /** The last few, old and new, in the way that suits the problem; nothing where an old winner stands unchallenged. */
  async #timeFinalists(
    ready: readonly Ready[],
    session: TuneSession,
    book: TuneBook,
  ): Promise<void> {
    const { finalists } = book;
    const isOpen = finalists.some(({ final }) => final === undefined);
    if (!isOpen || finalists.length < 2) return;
    const keys = new Set(finalists.map(({ config }) => configKey(config)));
    const missing = finalists
      .map(({ config }): Candidate => ({ config, key: configKey(config), origin: "known" }))
      .filter(({ key }) => !ready.some(({ candidate }) => candidate.key === key));
    const { ranked } = await this.#rank(missing, session);
    const added = await this.#prepare(ranked, session, book, this.#budgetMs);
    const all = [...ready, ...added.ready].filter(({ candidate }) => keys.has(candidate.key));
    const options = { ...CAREFUL, ...this.#options.measure };
    const rounds = this.#options.measure?.rounds ?? FINAL_ROUNDS;
    let done = 0;
    const standings = await race(
      runnersOf(all, (contender) => session.measure(contender, session.mode, options)),
      {
        rounds,
        now: () => this.#elapsed(),
        deadlineMs: this.#budgetMs,
        onMeasured: () => this.#say("finals", ++done, all.length * rounds),
        onFailed: (i) => this.#requireDevice(all[i], book),
      },
    );
    book.keepFinals(all, standings, session.mode);
  }

  /** A config that takes the device along ends the run; those after it would seem to fail as well. */
  async #requireDevice(failed: Ready | undefined, book: TuneBook): Promise<void> {
    try {
      await this.#device.synchronize();
    } catch (error) {
      if (failed !== undefined)
        book.keepFailure(failed.candidate.config, "failed", lostWith(error));
      throw error;
    }
  }

  /** Hash of the kernel with its own functions and defaults, whatever this call gives it. */
  #identify(): TuningKey {
    const { kernel } = this.#subject;
    const { dims, dtypes } = this.#problem;
    const { functions: _, ...plain } = this.#specialization();
    const lowered = lowerKernel(kernel, plain);
    const hash = rememberHash(this.#store, this.#device.sources, kernel, lowered);
    const device = deviceName(this.#device.info);
    return { kernel: kernel.name, hash, device, dtypes, bucket: bucketName(kernel, dims) };
  }

  #specialization(): Specialization {
    const { kernel } = this.#subject;
    const { dims, dtypes, functions } = this.#problem;
    return {
      dtypes,
      dims: Object.fromEntries(kernel.specialize.map((name) => [name, dims[name] ?? 0])),
      ...(functions === undefined ? {} : { functions }),
    };
  }

  /** What was good elsewhere: the tables' entries for these sizes, and this device's winners for the nearest others. */
  #known(key: TuningKey): readonly Config[] {
    const { kernel } = this.#subject;
    const { dims, dtypes } = this.#problem;
    const classes = deviceClasses(this.#device.info, this.#device.target);
    const entries = tunedConfigs(kernel, classes).filter((entry) => appliesTo(entry, dims, dtypes));
    const strided = stridedDims(kernel);
    const winners = this.#store
      .winners(key)
      .map((winner) => ({ winner, distance: bucketDistance(strided, winner.dims, dims) }))
      .sort((a, b) => a.distance - b.distance);
    return [
      ...entries.slice(0, MOST_KNOWN / 2).map(({ config }) => config),
      ...winners.slice(0, MOST_KNOWN / 2).map(({ winner }) => winner.config),
    ];
  }

  #noteBest(config: Config | undefined, us: number | undefined): void {
    if (config === undefined || us === undefined) return;
    if (this.#best === undefined || us < this.#best.us) this.#best = { config, us };
  }

  #say(phase: TunePhase, done: number, total: number): void {
    const floorUs = this.#session?.floorUs;
    const progress: TuneProgress = {
      phase,
      done,
      total,
      elapsedMs: this.#elapsed(),
      budgetMs: this.#budgetMs,
      ...(this.#best === undefined ? {} : { best: this.#best }),
      ...(floorUs === undefined ? {} : { floorUs }),
    };
    this.#options.onProgress?.(progress);
  }

  #elapsed(): number {
    return performance.now() - this.#start;
  }

  #isPast(share: number): boolean {
    return this.#elapsed() >= this.#budgetMs * share;
  }
}

function plainSubject({ kernel, matmul, ...rest }: BenchSubject, isGiven: boolean): BenchSubject {
  const { bytes, flops, inputs } = rest;
  const kept = {
    matmul,
    inputs: isGiven ? undefined : inputs,
    ...(matmul === undefined ? {} : { bytes, flops }),
  };
  const given = Object.entries(kept).filter(([, value]) => value !== undefined);
  return { kernel, ...Object.fromEntries(given) };
}

function runnersOf(
  ready: readonly Ready[],
  measure: (contender: Ready["contender"]) => ReturnType<Runner["measure"]>,
): readonly Runner[] {
  return ready.map(({ candidate, contender }) => ({
    name: candidate.key,
    measure: () => measure(contender),
  }));
}
