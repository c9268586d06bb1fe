/** [engine] A model that gives its device memory back for a while: level 1 keeps the weights in this process's memory, level 2 keeps nothing. No requests. */
import type { ParkedBuffers, Tensor } from "../runtime/index.ts";
import type { StepRunner } from "./core.ts";

/** 1: weights go to the host's memory. 2: they are dropped and read again. The KV cache is dropped in both. */
export type SleepLevel = 1 | 2;

export interface SleepReport {
  /** That the device got back. */
  readonly freedBytes: number;
  /** That the weights take in the core's process meanwhile. */
  readonly hostBytes: number;
}

/** What a core asks of its model. No step is in flight. */
export interface Sleeper {
  sleep(level: SleepLevel): Promise<SleepReport>;
  /** @returns what runs steps from now on. @throws what the device throws where there is no room; the model sleeps on */
  wake(): Promise<StepRunner>;
  /** Frees what a sleeping model still holds. */
  close(): void;
}

export interface PlacedModel {
  readonly runner: StepRunner & { close(keepsWeights?: boolean): void };
  readonly weights: readonly Tensor[];
  /** Bytes of all that the runner has on the device besides. */
  readonly cacheBytes: number;
}

export interface ModelPlace {
  park(weights: readonly Tensor[]): Promise<ParkedBuffers>;
  /** Gives the memory of what was freed back to the system. */
  trim(): Promise<void>;
  /** Another runner over weights that lie on the device. */
  runAgain(weights: readonly Tensor[]): Promise<PlacedModel>;
  /** Reads the model from its files again. */
  placeAgain(): Promise<PlacedModel>;
}

type State =
  | { readonly kind: "awake" }
  | { readonly kind: "parked"; readonly parked: ParkedBuffers; readonly weights: readonly Tensor[] }
  | { readonly kind: "dropped" };

export class SleepingModel implements Sleeper {
  readonly #place: ModelPlace;
  #placed: PlacedModel;
  #state: State = { kind: "awake" };

  constructor(place: ModelPlace, placed: PlacedModel) {
    this.#place = place;
    this.#placed = placed;
  }

  async sleep(level: SleepLevel): Promise<SleepReport> {
    const { runner, weights, cacheBytes } = this.#placed;
    if (this.#state.kind !== "awake") throw new RangeError("the model sleeps already");
    const weightBytes = weights.reduce((sum, { buffer }) => sum + buffer.bytes, 0);
    if (level === 2) {
      this.#state = { kind: "dropped" };
      runner.close();
      await this.#place.trim();
      return { freedBytes: weightBytes + cacheBytes, hostBytes: 0 };
    }
    const parked = await this.#place.park(weights);
    this.#state = { kind: "parked", parked, weights };
    runner.close(true);
    await this.#place.trim();
    return { freedBytes: parked.bytes + cacheBytes, hostBytes: parked.hostBytes };
  }

  async wake(): Promise<StepRunner> {
    const state = this.#state;
    switch (state.kind) {
      case "awake":
        return this.#placed.runner;
      case "parked":
        state.parked.restore();
        this.#placed = await this.#runAgain(state.weights);
        break;
      case "dropped":
        this.#placed = await this.#placeAgain();
        break;
      default:
        state satisfies never;
    }
    this.#state = { kind: "awake" };
    return this.#placed.runner;
  }

  close(): void {
    if (this.#state.kind === "parked") this.#state.parked.drop();
  }

  async #placeAgain(): Promise<PlacedModel> {
    try {
      return await this.#place.placeAgain();
    } catch (error) {
      await this.#place.trim();
      throw error;
    }
  }

  /** Where there is no room for the rest, the weights go back to where they were. */
  async #runAgain(weights: readonly Tensor[]): Promise<PlacedModel> {
    try {
      return await this.#place.runAgain(weights);
    } catch (error) {
      const parked = await this.#place.park(weights);
      this.#state = { kind: "parked", parked, weights };
      throw error;
    }
  }
}
