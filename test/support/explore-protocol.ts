/**
 * [test/support] Every order of a small block's threads, one by one: the plain search that the protocol check is compared with. Copies land and
 * phases end at any moment, arrivals in other blocks take their time, dots read until their dot_wait. Knows no clocks and no traces; blocks of
 * a cluster meet only all together.
 */
import type { ProtocolEvent, ProtocolSystem } from "../../codegen/analysis/protocol/events.ts";

/** What a search finds in some order. */
export type Found = "deadlock" | "filled" | "free" | "bytes" | "initialised" | "drained";

interface Barrier {
  arrivals: number;
  pending: number;
  expected: number;
  phases: number;
  init: 0 | 1 | 2;
}

interface Copy {
  readonly tile: number;
  readonly barrier: number;
  readonly bytes: number;
}

/** All that decides what may come. */
interface State {
  readonly positions: number[];
  readonly barriers: Barrier[];
  /** Copies under way. */
  readonly flying: Copy[];
  /** Barriers of other blocks where arrivals are under way. */
  readonly arriving: number[];
  /** For each tile: 0 empty, 1 holds a filling that nobody read, 2 one that was read. */
  readonly tiles: number[];
  /** Tiles of each thread's dots in flight, oldest first. */
  readonly dots: number[][][];
}

function copyOf({ positions, barriers, flying, arriving, tiles, dots }: State): State {
  return {
    positions: [...positions],
    barriers: barriers.map((barrier) => ({ ...barrier })),
    flying: [...flying],
    arriving: [...arriving],
    tiles: [...tiles],
    dots: dots.map((groups) => [...groups]),
  };
}

function start(system: ProtocolSystem): State {
  return {
    positions: system.instances.map(() => 0),
    barriers: system.barriers.map(() => ({
      arrivals: 0,
      pending: 0,
      expected: 0,
      phases: 0,
      init: 0,
    })),
    flying: [],
    arriving: [],
    tiles: system.tiles.map(() => 0),
    dots: system.instances.map(() => []),
  };
}

class Search {
  readonly found = new Set<Found>();
  readonly #system: ProtocolSystem;
  readonly #seen = new Set<string>();
  readonly #most: number;

  constructor(system: ProtocolSystem, most: number) {
    this.#system = system;
    this.#most = most;
  }

  /** @returns whether the search came to its end */
  run(): boolean {
    const stack: State[] = [start(this.#system)];
    for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
      const key = JSON.stringify(state);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      if (this.#seen.size > this.#most) return false;
      const next = this.#successors(state);
      if (next.length === 0) this.#checkEnd(state);
      stack.push(...next);
    }
    return true;
  }

  #next(state: State, instance: number): ProtocolEvent | undefined {
    return this.#system.instances[instance]?.events[state.positions[instance] ?? 0];
  }

  #successors(state: State): State[] {
    const states: State[] = [];
    const branch = (act: (copy: State) => void): void => {
      const copy = copyOf(state);
      act(copy);
      states.push(copy);
    };
    state.flying.forEach((copy, i) => {
      branch((after) => {
        after.flying.splice(i, 1);
        after.tiles[copy.tile] = 1;
        this.#land(after, copy.barrier, copy.bytes);
      });
    });
    new Set(state.arriving).forEach((barrier) => {
      branch((after) => {
        after.arriving.splice(after.arriving.indexOf(barrier), 1);
        this.#arrive(after, barrier, 0);
      });
    });
    this.#system.instances.forEach((_, instance) => {
      const event = this.#next(state, instance);
      if (event === undefined || event.kind === "meet") return;
      if (event.kind === "wait" && !this.#mayPass(state, event)) return;
      branch((after) => {
        after.positions[instance] = (after.positions[instance] ?? 0) + 1;
        this.#do(after, instance, event);
      });
    });
    this.#meet(state, branch);
    return states;
  }

  #mayPass(state: State, event: Extract<ProtocolEvent, { kind: "wait" }>): boolean {
    const phases = state.barriers[event.barrier]?.phases ?? 0;
    return phases % 2 !== event.parity;
  }

  #meet(state: State, branch: (act: (copy: State) => void) => void): void {
    for (const among of ["block", "consumers", "cluster"] as const) {
      const members = this.#system.instances.flatMap(({ isConsumer }, i) =>
        among !== "consumers" || isConsumer ? [i] : [],
      );
      const areThere = members.every((member) => {
        const event = this.#next(state, member);
        return event?.kind === "meet" && event.among === among;
      });
      if (!areThere || members.length === 0) continue;
      branch((after) => {
        for (const member of members) after.positions[member] = (after.positions[member] ?? 0) + 1;
        for (const barrier of after.barriers) if (barrier.init === 1) barrier.init = 2;
      });
    }
  }

  #barrier(state: State, at: number): Barrier {
    const barrier = state.barriers[at];
    if (barrier === undefined) throw new RangeError(`no barrier ${at}`);
    if (barrier.init !== 2) this.found.add("initialised");
    return barrier;
  }

  #land(state: State, at: number, bytes: number): void {
    const barrier = this.#barrier(state, at);
    barrier.expected -= bytes;
    this.#settle(barrier);
  }

  #arrive(state: State, at: number, bytes: number): void {
    const barrier = this.#barrier(state, at);
    if (barrier.pending === 0) this.found.add("bytes");
    barrier.pending = Math.max(0, barrier.pending - 1);
    barrier.expected += bytes;
    this.#settle(barrier);
  }

  #settle(barrier: Barrier): void {
    if (barrier.pending > 0 || barrier.expected !== 0) return;
    barrier.phases++;
    barrier.pending = barrier.arrivals;
  }

  #do(state: State, instance: number, event: ProtocolEvent): void {
    switch (event.kind) {
      case "init": {
        const barrier = state.barriers[event.barrier];
        if (barrier === undefined) return;
        barrier.arrivals = event.arrivals;
        barrier.pending = event.arrivals;
        barrier.init = 1;
        return;
      }
      case "wait":
        this.#barrier(state, event.barrier);
        return;
      case "arrive":
        this.#arrive(state, event.barrier, 0);
        if (event.remote !== undefined) state.arriving.push(event.remote);
        state.arriving.sort();
        return;
      case "expect":
        this.#arrive(state, event.barrier, event.bytes);
        return;
      case "tensor_copy": {
        const isRead = state.dots.some((dots) => dots.flat().includes(event.tile));
        const isFlying = state.flying.some((copy) => copy.tile === event.tile);
        if (isRead || isFlying || state.tiles[event.tile] === 1) this.found.add("free");
        state.tiles[event.tile] = 0;
        const { tile, barrier, bytes } = event;
        this.#barrier(state, barrier);
        state.flying.push({ tile, barrier, bytes });
        return;
      }
      case "read":
        for (const tile of event.tiles) {
          if (state.tiles[tile] === 0) this.found.add("filled");
          else state.tiles[tile] = 2;
        }
        state.dots[instance]?.push([...event.tiles]);
        return;
      case "dot_wait":
        state.dots[instance]?.splice(0, (state.dots[instance]?.length ?? 0) - event.pending);
        return;
      default:
        throw new Error(`the search knows no ${event.kind}`);
    }
  }

  #checkEnd(state: State): void {
    const isDone = this.#system.instances.every((_, i) => this.#next(state, i) === undefined);
    if (!isDone) this.found.add("deadlock");
    else if (state.barriers.some(({ expected }) => expected !== 0)) this.found.add("bytes");
    else if (state.tiles.includes(1) || state.dots.some((dots) => dots.length > 0))
      this.found.add("drained");
  }
}

/**
 * What goes wrong in some order of the threads.
 * @param most states to look at
 * @returns undefined where there are more states
 */
export function exploreProtocol(
  system: ProtocolSystem,
  most: number,
): ReadonlySet<Found> | undefined {
  const search = new Search(system, most);
  return search.run() ? search.found : undefined;
}
