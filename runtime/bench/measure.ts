/** [runtime/bench] The three ways to time contenders: cold launches, sustained rounds, and layers of a captured graph. */
import type { Device, DeviceBuffer, Graph } from "../device.ts";
import { DeviceClock } from "./clock.ts";
import type { ChipState, Contender } from "./contender.ts";
import { measureInRounds } from "./rounds.ts";
import { median } from "./statistics.ts";

/**
 * `cold`: each launch alone after the cache was overwritten. `sustained`: about a quarter of a second without a pause, as power and heat
 * allow. `layers`: a captured graph over many sets of weights, as a model's step sees them; nothing is flushed.
 */
export type TimingMode = "cold" | "sustained" | "layers";

export interface MeasureOptions {
  /** Least rounds in which contenders alternate. */
  readonly rounds: number;
  /** Milliseconds of cold launches before and in each round. */
  readonly warmupMs: number;
  readonly repeatMs: number;
  /** Milliseconds of one sustained round. */
  readonly sustainedMs: number;
  /** Milliseconds of one round of layers. */
  readonly layersMs: number;
}

/** Times of one contender in one mode. */
export interface Measured {
  /** Median microseconds of a launch, by round. */
  readonly rounds: readonly number[];
  /** Microseconds: single launches where they were timed alone, else the rounds. */
  readonly samples: readonly number[];
  /** State of the chip under this load, by round. */
  readonly chip: readonly ChipState[];
}

/** Written before each cold launch; several times any GPU's last cache. */
const FLUSH_BYTES = 256 * 2 ** 20;
const ESTIMATE_RUNS = 5;
const SUSTAINED_LEAST = 20;
const MAX_LAUNCHES = 4000;

export class Meter {
  readonly device: Device;
  readonly #clock: DeviceClock;
  readonly #flushBuffer: DeviceBuffer | undefined;
  readonly #chipState: () => ChipState | undefined;

  constructor(device: Device, chipState: () => ChipState | undefined) {
    this.device = device;
    this.#clock = new DeviceClock(device);
    this.#chipState = chipState;
    if (device.info.hardware)
      this.#flushBuffer = device.alloc(Math.min(FLUSH_BYTES, device.limits.maxBufferBytes));
  }

  get usesEvents(): boolean {
    return this.#clock.usesEvents;
  }

  /** Microseconds of single cold launches of one contender. */
  async coldSamples(
    contender: Contender,
    numSets: number,
    { warmupMs, repeatMs }: Pick<MeasureOptions, "warmupMs" | "repeatMs">,
  ): Promise<readonly number[]> {
    const run = (i: number) => contender.run(i % numSets);
    contender.run(0);
    const estimate = await this.#clock.each(ESTIMATE_RUNS, this.#flush, run);
    const ms = Math.max(1e-4, median(estimate));
    const warmups = Math.min(MAX_LAUNCHES, Math.floor(warmupMs / ms));
    for (let i = 0; i < warmups; i++) {
      run(i);
      if (!this.usesEvents) await this.device.synchronize();
    }
    const count = Math.max(ESTIMATE_RUNS, Math.min(MAX_LAUNCHES, Math.ceil(repeatMs / ms)));
    const times = await this.#clock.each(count, this.#flush, run);
    return times.map((time) => time * 1000);
  }

  async cold(
    contenders: readonly Contender[],
    numSets: number,
    options: MeasureOptions,
  ): Promise<readonly Measured[]> {
    const samples = await measureInRounds(contenders.length, options.rounds, async (i) => {
      const times = await this.coldSamples(at(contenders, i), numSets, options);
      return { times, chip: this.#chipState() };
    });
    return samples.map((rounds) => ({
      rounds: rounds.map(({ times }) => median(times)),
      samples: rounds.flatMap(({ times }) => times),
      chip: rounds.flatMap(({ chip }) => (chip === undefined ? [] : [chip])),
    }));
  }

  /** As many launches as take `sustainedMs`, after a quarter as many that are not counted. */
  async sustained(
    contenders: readonly Contender[],
    numSets: number,
    options: Pick<MeasureOptions, "rounds" | "sustainedMs">,
  ): Promise<readonly Measured[]> {
    const counts: number[] = [];
    for (const contender of contenders) {
      const launch = () => {
        for (let k = 0; k < SUSTAINED_LEAST; k++) contender.run(k % numSets);
      };
      launch();
      const ms = (await this.#clock.span(launch)) / SUSTAINED_LEAST;
      counts.push(Math.max(SUSTAINED_LEAST, Math.ceil(options.sustainedMs / ms)));
    }
    const results = await measureInRounds(contenders.length, options.rounds, async (i) => {
      const contender = at(contenders, i);
      const count = at(counts, i);
      const launch = (times: number) => {
        for (let k = 0; k < times; k++) contender.run(k % numSets);
      };
      launch(Math.ceil(count / 4));
      return this.#timed(count, () => launch(count), options.sustainedMs);
    });
    return results.map(collect);
  }

  /** @returns undefined where the device captures no graphs */
  async layers(
    contenders: readonly Contender[],
    numSets: number,
    options: Pick<MeasureOptions, "rounds" | "layersMs">,
  ): Promise<readonly Measured[] | undefined> {
    const { device } = this;
    const { capture } = device;
    if (capture === undefined) return undefined;
    const graphs: Graph[] = [];
    try {
      for (const contender of contenders) {
        for (let set = 0; set < numSets; set++) contender.run(set);
        graphs.push(
          capture((stream) => {
            for (let set = 0; set < numSets; set++) contender.run(set, stream);
          }),
        );
      }
      await device.synchronize();
      const results = await measureInRounds(contenders.length, options.rounds, async (i) => {
        const graph = at(graphs, i);
        graph.launch();
        const once = await this.#clock.span(() => graph.launch());
        const replays = Math.max(3, Math.ceil(options.layersMs / Math.max(1e-3, once)));
        graph.launch();
        return this.#timed(
          replays * numSets,
          () => {
            for (let k = 0; k < replays; k++) graph.launch();
          },
          options.layersMs,
        );
      });
      return results.map(collect);
    } finally {
      for (const graph of graphs) graph.close();
    }
  }

  close(): void {
    this.#clock.close();
    if (this.#flushBuffer !== undefined) this.device.free(this.#flushBuffer);
  }

  readonly #flush = (): void => {
    const buffer = this.#flushBuffer;
    if (buffer !== undefined) this.device.fill(buffer, 0, buffer.bytes, 0);
  };

  /** Reads the chip's clocks when about two thirds of the work are done. */
  async #timed(launches: number, enqueue: () => void, aboutMs: number): Promise<OneRound> {
    let chip: ChipState | undefined;
    const start = performance.now();
    const ms = await this.#clock.span(enqueue, async () => {
      const wait = (aboutMs * 2) / 3 - (performance.now() - start);
      if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
      chip = this.#chipState();
    });
    return { us: (ms * 1000) / launches, chip };
  }
}

interface OneRound {
  readonly us: number;
  readonly chip: ChipState | undefined;
}

function collect(rounds: readonly OneRound[]): Measured {
  const us = rounds.map((round) => round.us);
  const chip = rounds.flatMap((round) => (round.chip === undefined ? [] : [round.chip]));
  return { rounds: us, samples: us, chip };
}

function at<T>(list: readonly T[], i: number): T {
  const item = list[i];
  if (item === undefined) throw new RangeError(`no item ${i} of ${list.length}`);
  return item;
}
