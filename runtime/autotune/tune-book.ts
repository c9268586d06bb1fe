/** [runtime/autotune] Everything known of one bucket during a run: recalls, keeps and compares records. Measures nothing. */
import type { Config } from "../bench/own-contender.ts";
import { spreadOf } from "../bench/statistics.ts";
import type { Dims } from "./buckets.ts";
import type { Ready } from "./candidates.ts";
import type { Standing } from "./race.ts";
import type { ConfigRecord, TuningKey, TuningStore, WinnerRecord } from "./records.ts";
import { configKey } from "./space.ts";

/** The last few: at most so many, and no slower than the best by more than this. */
const FINALISTS = 6;
const FINAL_MARGIN = 1.1;

export class TuneBook {
  readonly #store: TuningStore;
  readonly #key: TuningKey;
  readonly #dims: Dims;
  /** Versions of what is measured now. */
  readonly #made: string;
  /** Key of the config that launches take without this run. */
  readonly #incumbent: string | undefined;
  readonly #records = new Map<string, ConfigRecord>();
  #winner: WinnerRecord | undefined;

  /**
   * @param again whether to forget what earlier runs found
   * @param incumbent key of the config that launches take so far
   */
  constructor(
    store: TuningStore,
    key: TuningKey,
    dims: Dims,
    made: string,
    { again, incumbent }: { readonly again: boolean; readonly incumbent?: string | undefined },
  ) {
    this.#store = store;
    this.#key = key;
    this.#dims = dims;
    this.#made = made;
    this.#incumbent = incumbent;
    if (again) return;
    const file = store.read(key);
    for (const [name, record] of file.configs)
      if (record.made === made) this.#records.set(name, record);
    if (file.winner?.made === made) this.#winner = file.winner;
  }

  get records(): readonly ConfigRecord[] {
    return [...this.#records.values()];
  }

  /** Whether a run has come to its end. */
  get hasWinner(): boolean {
    return this.#winner !== undefined;
  }

  has(config: string): boolean {
    return this.#records.has(config);
  }

  /**
   * The fastest and those close to it, the fastest first; last the one that launches take so far, however slow it was alone: finals are
   * timed in another way, in which it may be the best.
   */
  get finalists(): readonly ConfigRecord[] {
    const timed = this.records.filter(({ us }) => us !== undefined);
    timed.sort((a, b) => medianOf(a) - medianOf(b));
    const best = timed[0] === undefined ? 0 : medianOf(timed[0]);
    const close = timed.filter((record) => medianOf(record) <= best * FINAL_MARGIN);
    const few = close.slice(0, FINALISTS);
    const incumbent = timed.find(({ config }) => configKey(config) === this.#incumbent);
    return incumbent === undefined || few.includes(incumbent) ? few : [...few, incumbent];
  }

  keepFailure(config: Config, status: "failed" | "wrong", reason: string): void {
    this.#keep([{ config, status, reason, made: this.#made }]);
  }

  /** @param standings of `ready`, in the same order */
  keepStandings(ready: readonly Ready[], standings: readonly Standing[]): void {
    const records = standings.flatMap(({ samples, rounds, state, reason }, i): ConfigRecord[] => {
      const config = ready[i]?.candidate.config;
      if (config === undefined) return [];
      if (state === "failed")
        return [{ config, status: "failed", reason: reason ?? "", made: this.#made }];
      if (rounds.length === 0) return [];
      return [{ config, status: "timed", us: spreadOf(samples), made: this.#made }];
    });
    this.#keep(records.filter((record) => this.#isNews(record)));
  }

  keepFinals(ready: readonly Ready[], standings: readonly Standing[], mode: string): void {
    const records = standings.flatMap(({ samples, rounds }, i): ConfigRecord[] => {
      const config = ready[i]?.candidate.config;
      const before = config === undefined ? undefined : this.#records.get(configKey(config));
      if (before === undefined || rounds.length === 0) return [];
      return [{ ...before, final: { mode, us: spreadOf(samples) } }];
    });
    // Finals of earlier rounds are not comparable with these.
    const outdated = this.records.flatMap(({ final, ...rest }): ConfigRecord[] =>
      final === undefined ? [] : [rest],
    );
    this.#keep([...outdated, ...records]);
  }

  /** The fastest of the last few, by their finals where all have them; kept where it is another than before. Undefined where nothing was timed. */
  choose(): ConfigRecord | undefined {
    const finalists = [...this.finalists];
    const isDecided = finalists.every(({ final }) => final !== undefined);
    const timeOf = (record: ConfigRecord) =>
      (isDecided ? record.final?.us.median : undefined) ?? medianOf(record);
    const best = finalists.sort((a, b) => timeOf(a) - timeOf(b))[0];
    if (best === undefined) return undefined;
    if (this.#winner === undefined || configKey(this.#winner.winner) !== configKey(best.config)) {
      this.#winner = { winner: best.config, us: timeOf(best), made: this.#made };
      this.#store.add(this.#key, this.#dims, [this.#winner]);
    }
    return best;
  }

  #keep(records: readonly ConfigRecord[]): void {
    for (const record of records) this.#records.set(configKey(record.config), record);
    this.#store.add(this.#key, this.#dims, records);
  }

  #isNews(record: ConfigRecord): boolean {
    const before = this.#records.get(configKey(record.config));
    return before?.us?.count !== record.us?.count || before?.status !== record.status;
  }
}

function medianOf({ us }: ConfigRecord): number {
  return us?.median ?? Number.POSITIVE_INFINITY;
}
