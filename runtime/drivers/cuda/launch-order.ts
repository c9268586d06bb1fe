/** [runtime/drivers] Which launches may start while those before them in their stream still run, by what these write. Launches nothing. */
import type { Artifact } from "../../../codegen/index.ts";
import type { DeviceBuffer, Tensor } from "../../device.ts";

/** What a kernel's launches read ahead of their wait, and what they write: places among its tensors, in ABI order. */
export interface LaunchEffects {
  /** Whether its text waits for the launch before at all. */
  readonly waits: boolean;
  readonly early: readonly number[];
  readonly written: readonly number[];
}

/** Launches one after another that may all still run; with more buffers than this written, the next one waits for them. */
const MOST_WRITTEN = 512;

export function effectsOf({ params, early = [], dependentLaunch }: Artifact): LaunchEffects {
  const tensors = params.filter((param) => param.kind === "tensor");
  const places = (holds: (param: (typeof tensors)[number]) => boolean): readonly number[] =>
    tensors.flatMap((param, i) => (holds(param) ? [i] : []));
  return {
    waits: dependentLaunch === true,
    early: places(({ name }) => early.includes(name)),
    written: places(({ access }) => access !== "in"),
  };
}

/**
 * A launch that may start early begins while the launch before it runs, which may itself have begun so: all of them back to the last one
 * that waited for its start may be running. What a launch reads ahead of its own wait must be written by none of them.
 * @source CUDA programming guide, "Programmatic dependent launch"
 */
export class LaunchOrder {
  /** By stream: buffers that launches write which may still run when the next one starts early. */
  readonly #written = new Map<bigint, Set<DeviceBuffer>>();

  /** Whether the next launch of a stream may start early; remembers what it writes. */
  admit(
    stream: bigint,
    { waits, early, written }: LaunchEffects,
    tensors: readonly Tensor[],
  ): boolean {
    let running = this.#written.get(stream);
    if (running === undefined) {
      running = new Set();
      this.#written.set(stream, running);
    }
    const open = running;
    const isWritten = (place: number): boolean => {
      const tensor = tensors[place];
      return tensor !== undefined && open.has(tensor.buffer);
    };
    const startsEarly = waits && open.size <= MOST_WRITTEN && !early.some(isWritten);
    if (!startsEarly) open.clear();
    for (const place of written) {
      const tensor = tensors[place];
      if (tensor !== undefined) open.add(tensor.buffer);
    }
    return startsEarly;
  }

  /** Copies and fills of a stream stand between launches: the next launch starts when they are done. */
  settle(stream: bigint): void {
    this.#written.get(stream)?.clear();
  }

  /**
   * The stream is gone.
   * @returns buffers that its last launches write: where it was captured, those that may still be written when its graph's last launch runs
   */
  forget(stream: bigint): ReadonlySet<DeviceBuffer> {
    const open = this.#written.get(stream) ?? new Set();
    this.#written.delete(stream);
    return open;
  }

  /** A graph starts when all before it is done; launches behind it stand behind its last ones. */
  replay(stream: bigint, written: ReadonlySet<DeviceBuffer>): void {
    this.#written.set(stream, new Set(written));
  }
}
