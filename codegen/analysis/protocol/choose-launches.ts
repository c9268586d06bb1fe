/** [codegen/analysis/protocol] Numbers for a launch in which a kernel's rings make a wanted number of trips. Nothing is walked here. */
import type { ScheduledKernel, SFor, SOp, SValue } from "../../ir/scheduled.ts";
import { scheduledOperands, scheduledResults, walkScheduled } from "../../ir/visit-scheduled.ts";
import { evaluateScalar, type Launch, leafName } from "./evaluate-scalar.ts";
import type { Resources } from "./resources.ts";

/** A number that is large for a dim but far from where i32 ends. */
const LARGE = 1 << 20;
/** What a dim is that no trip count depends on. */
const USUAL = 256;

export interface ChosenLaunch {
  readonly launch: Launch;
  /** Trips that a ring makes in the block's first program. */
  readonly trips: number;
}

interface Definition {
  readonly op: SOp;
  /** True where the value is the counter of the loop. */
  readonly isCounter: boolean;
}

interface Bounds {
  readonly lo: number;
  readonly hi: number;
  readonly step: number;
}

class Rings {
  readonly #defs = new Map<number, Definition>();

  constructor(kernel: ScheduledKernel) {
    walkScheduled(kernel.body, (op) => {
      for (const result of scheduledResults(op))
        this.#defs.set(result.id, { op, isCounter: false });
      const counter = op.kind === "for" ? op.body.params[0] : undefined;
      if (counter !== undefined) this.#defs.set(counter.id, { op, isCounter: true });
    });
  }

  /** Names of the launch's numbers that a ring's bounds depend on. */
  leaves(ring: SFor): readonly string[] {
    const found = new Set<string>();
    const seen = new Set<number>();
    const queue: SValue[] = [ring.lo, ring.hi, ring.step];
    for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
      const definition = this.#defs.get(value.id);
      if (definition === undefined || seen.has(value.id)) continue;
      seen.add(value.id);
      const { op } = definition;
      if (op.kind === "dim" || op.kind === "param" || op.kind === "load")
        found.add(leafName(op) ?? "");
      else queue.push(...scheduledOperands(op));
    }
    return [...found];
  }

  /** Bounds of a ring in the block's first program, or undefined where they depend on what is not known. */
  bounds(ring: SFor, launch: Launch): Bounds | undefined {
    const [lo, hi, step] = [ring.lo, ring.hi, ring.step].map((v) => this.value(v, launch));
    if (lo === undefined || hi === undefined || step === undefined || step <= 0) return undefined;
    return { lo, hi, step };
  }

  /** A scalar in the block's first program. */
  value(value: SValue, launch: Launch): number | undefined {
    const values = new Map<number, number | undefined>();
    const read = (x: SValue): number | undefined => {
      if (values.has(x.id)) return values.get(x.id);
      values.set(x.id, undefined);
      const definition = this.#defs.get(x.id);
      const number =
        definition?.isCounter === true && definition.op.kind === "for"
          ? read(definition.op.lo)
          : definition && evaluateScalar(definition.op, read, launch);
      values.set(x.id, number);
      return number;
    };
    return read(value);
  }
}

function tripsOf(bounds: Bounds | undefined): number | undefined {
  return bounds && Math.max(0, Math.ceil((bounds.hi - bounds.lo) / bounds.step));
}

/** A number with which `trips` is `wanted`: by the step, as most loops go up to a dim, else the least one, where it grows with the number. */
function search(bounds: (n: number) => Bounds | undefined, wanted: number): number | undefined {
  const trips = (n: number): number => tripsOf(bounds(n)) ?? 0;
  const { lo = 0, step = 1 } = bounds(0) ?? {};
  const guess = lo + wanted * step;
  if (guess >= 0 && trips(guess) === wanted) return guess;
  let [low, high] = [0, LARGE];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (trips(middle) >= wanted) high = middle;
    else low = middle + 1;
  }
  return trips(low) === wanted ? low : undefined;
}

/** Ways to give one number to the leaves: to all of them, or to one while the rest are 0 or large. */
function spreads(
  leaves: readonly string[],
): readonly ((n: number) => ReadonlyMap<string, number>)[] {
  const all = (n: number) => new Map(leaves.map((leaf) => [leaf, n]));
  if (leaves.length < 2) return [all];
  const single = [0, LARGE].flatMap((rest) =>
    leaves.map(
      (leaf) => (n: number) => new Map(leaves.map((other) => [other, other === leaf ? n : rest])),
    ),
  );
  return [all, ...single];
}

function keyOf({ launch, trips }: ChosenLaunch): string {
  return [...launch.values].map(([name, n]) => `${name}=${n}`).join() || `trips=${trips}`;
}

/** Numbers for the leaves with which a ring makes the wanted trips. */
function valuesFor(
  leaves: readonly string[],
  bounds: (values: ReadonlyMap<string, number>) => Bounds | undefined,
  wanted: number,
): ReadonlyMap<string, number> | undefined {
  for (const spread of spreads(leaves)) {
    const n = search((number) => bounds(spread(number)), wanted);
    if (n !== undefined) return spread(n);
  }
  return undefined;
}

function launchOf(
  values: ReadonlyMap<string, number>,
  forced: ReadonlyMap<number, number> = new Map(),
): Launch {
  return { programs: 1, block: 0, blocks: 1, values, other: USUAL, forced };
}

/** Bounds of all rings that no numbers give, set to `trips` trips from 0. */
function forcedBounds(
  finder: Rings,
  rings: readonly SFor[],
  trips: number,
): ReadonlyMap<number, number> {
  const forced = new Map<number, number>();
  for (const { lo, hi, step } of rings) {
    const width = finder.value(step, launchOf(new Map())) ?? 1;
    forced
      .set(step.id, width)
      .set(lo.id, 0)
      .set(hi.id, trips * width);
  }
  return forced;
}

/**
 * Launches of one program in which each ring makes each of the wanted numbers of trips; one where its bounds are constants. Bounds are set
 * where no sizes give them. One launch where there is no ring.
 */
export function chooseLaunches(
  kernel: ScheduledKernel,
  { rings }: Resources,
  wanted: readonly number[],
): readonly ChosenLaunch[] {
  const finder = new Rings(kernel);
  const launches = new Map<string, ChosenLaunch>();
  const add = (launch: Launch, trips: number): void => {
    const chosen = { launch, trips };
    launches.set(keyOf(chosen), chosen);
  };
  const stubborn = new Set<number>();
  const forcible: SFor[] = [];
  for (const ring of rings) {
    const leaves = finder.leaves(ring);
    const usual = tripsOf(finder.bounds(ring, launchOf(new Map())));
    if (usual !== undefined && leaves.length === 0) {
      add(launchOf(new Map()), usual);
      continue;
    }
    forcible.push(ring);
    for (const trips of wanted) {
      const bounds = (given: ReadonlyMap<string, number>) => finder.bounds(ring, launchOf(given));
      const values = usual === undefined ? undefined : valuesFor(leaves, bounds, trips);
      if (values === undefined) stubborn.add(trips);
      else add(launchOf(values), trips);
    }
  }
  for (const trips of stubborn)
    add(launchOf(new Map(), forcedBounds(finder, forcible, trips)), trips);
  if (launches.size === 0) add(launchOf(new Map()), 0);
  return [...launches.values()];
}
