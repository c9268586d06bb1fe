/** [codegen/analysis/protocol] Numbers for a launch in which a kernel's rings make a wanted number of trips. Nothing is walked here. */
import type { ScheduledKernel, SFor, SOp, SValue } from "../../ir/scheduled.ts";
import { scheduledOperands, scheduledResults, walkScheduled } from "../../ir/visit-scheduled.ts";
import { evaluateScalar, type Launch, leafName } from "./evaluate-scalar.ts";
import type { Resources } from "./resources.ts";

/** What a dim is that no trip count depends on. */
const USUAL = 256;

/** What is added to the size that a ring alone would want: others take trips before or behind it, or one that is cut short. */
const MORE: readonly ((step: number) => number)[] = [0, 1, 2, 3].flatMap((trips) => [
  (step: number) => trips * step,
  (step: number) => trips * step + 1,
]);

/** Blocks that share the trips of a program: of an odd number, which odd trips ask for, the first has one more. */
const SHARING = 2;

type Sizes = (size: number, step: number) => ReadonlyMap<string, number>;

/** Numbers for all that bounds depend on: one for all; then one of them larger by a trip, past keys besides new ones; then one of them of a trip alone. */
function mixtures(leaves: readonly string[]): readonly Sizes[] {
  const apart = (one: string | undefined, other: (size: number, step: number) => number): Sizes => {
    return (size, step) =>
      new Map(leaves.map((leaf) => [leaf, leaf === one ? other(size, step) : size] as const));
  };
  return [
    apart(undefined, (size) => size),
    ...leaves.map((leaf) => apart(leaf, (size, step) => size + step)),
    ...leaves.map((leaf) => apart(leaf, (_, step) => step)),
  ];
}

export interface ChosenLaunch {
  readonly launch: Launch;
  /** Trips that a ring makes in the block's first program. */
  readonly trips: number;
}

interface Definition {
  readonly op: SOp;
  /** Where the value is one that a loop carries or counts, or that a branch gives: what it begins with. */
  readonly start?: SValue;
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
      for (const result of scheduledResults(op)) this.#defs.set(result.id, { op });
      const begin = (values: readonly SValue[], starts: readonly SValue[]): void => {
        for (const [i, { id }] of values.entries()) {
          const start = starts[i];
          if (start !== undefined) this.#defs.set(id, { op, start });
        }
      };
      // Of a branch, what it gives where it is taken: programs there are.
      if (op.kind === "if") begin(op.results, op.then.yields);
      if (op.kind === "for") begin(op.body.params, [op.lo, ...op.inits]);
      if (op.kind === "while") for (const { params } of [op.cond, op.body]) begin(params, op.inits);
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
      const { op, start } = definition;
      if (start !== undefined) queue.push(start);
      else if (op.kind === "dim" || op.kind === "param" || op.kind === "load")
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

  /** Where most loops go up to a dim: one number for all that the bounds depend on, if one gives the trips. */
  launch(ring: SFor, leaves: readonly string[], trips: number): Launch | undefined {
    const withAll = (n: number): Launch => launchOf(new Map(leaves.map((leaf) => [leaf, n])));
    const none = this.bounds(ring, withAll(0));
    if (none === undefined) return undefined;
    for (const all of [trips, SHARING * trips - (trips % SHARING)]) {
      for (const sizesOf of mixtures(leaves)) {
        for (const more of MORE) {
          const size = none.lo + all * none.step + more(none.step);
          const launch = launchOf(sizesOf(size, none.step));
          if (tripsOf(this.bounds(ring, launch)) === trips) return launch;
        }
      }
    }
    return undefined;
  }

  constant({ id }: SValue): number | undefined {
    const op = this.#defs.get(id)?.op;
    return op?.kind === "const" ? op.value : undefined;
  }

  /** A scalar in the block's first program. */
  value(value: SValue, launch: Launch): number | undefined {
    const values = new Map<number, number | undefined>();
    const read = (x: SValue): number | undefined => {
      if (values.has(x.id)) return values.get(x.id);
      values.set(x.id, undefined);
      const definition = this.#defs.get(x.id);
      const number =
        definition?.start === undefined
          ? definition && evaluateScalar(definition.op, read, launch)
          : read(definition.start);
      values.set(x.id, number);
      return number;
    };
    return read(value);
  }
}

function tripsOf(bounds: Bounds | undefined): number | undefined {
  return bounds && Math.max(0, Math.ceil((bounds.hi - bounds.lo) / bounds.step));
}

function keyOf({ launch, trips }: ChosenLaunch): string {
  return [...launch.values].map(([name, n]) => `${name}=${n}`).join() || `trips=${trips}`;
}

function launchOf(
  values: ReadonlyMap<string, number>,
  forced: ReadonlyMap<number, number> = new Map(),
): Launch {
  return { programs: 1, block: 0, blocks: 1, rank: 0, values, other: USUAL, forced };
}

/** Bounds of all rings that no numbers give, set to `trips` trips. */
function forcedBounds(
  finder: Rings,
  rings: readonly SFor[],
  trips: number,
): ReadonlyMap<number, number> {
  const forced = new Map<number, number>();
  for (const { lo, hi, step } of rings) {
    const width = finder.constant(step) ?? 1;
    const start = finder.constant(lo) ?? 0;
    // Constants may be used for more than this loop: they stay what they are.
    if (finder.constant(step) === undefined) forced.set(step.id, width);
    if (finder.constant(lo) === undefined) forced.set(lo.id, start);
    if (finder.constant(hi) === undefined) forced.set(hi.id, start + trips * width);
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
  const stubborn = new Map<SFor, readonly number[]>();
  const forcible: SFor[] = [];
  for (const ring of rings) {
    const leaves = finder.leaves(ring);
    const usual = tripsOf(finder.bounds(ring, launchOf(new Map())));
    if (usual !== undefined && leaves.length === 0) {
      add(launchOf(new Map()), usual);
      continue;
    }
    forcible.push(ring);
    const missed = wanted.filter((trips) => {
      const launch = finder.launch(ring, leaves, trips);
      if (launch !== undefined) add(launch, trips);
      return launch === undefined;
    });
    stubborn.set(ring, missed);
  }
  // Where sizes give one ring all its trips, others whose bounds are known make those that go with them: none is bent apart from the rest.
  const isWhole = [...stubborn.values()].some((missed) => missed.length === 0);
  const forced = [...stubborn].flatMap(([ring, missed]) =>
    isWhole && finder.bounds(ring, launchOf(new Map())) !== undefined ? [] : missed,
  );
  for (const trips of new Set(forced))
    add(launchOf(new Map(), forcedBounds(finder, forcible, trips)), trips);
  if (launches.size === 0) add(launchOf(new Map()), 0);
  return [...launches.values()];
}
