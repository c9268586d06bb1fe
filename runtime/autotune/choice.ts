/** [runtime/autotune] Which config a launch gets that names none: measured here, measured elsewhere, near sizes, rules. Remembers its answers. */
import type { DType, KernelDefinition } from "../../dsl/index.ts";
import { bucketDistance, bucketName, type Dims, stridedDims } from "./buckets.ts";
import type { StoredWinner } from "./records.ts";
import { configKey } from "./space.ts";
import { fitsKernel, type TunedConfig, type TunedValues } from "./store.ts";

export interface Choice {
  readonly config: TunedValues;
  /** Part of the plan's key; the same for equal configs. */
  readonly name: string;
}

export type Dtypes = readonly (DType | undefined)[];

/** Winners of this device for a kernel; asked once, at the first launch that needs them. */
export type FindWinners = (
  dims: Dims,
  dtypes: Readonly<Record<string, DType>>,
) => readonly StoredWinner[];

interface Entry {
  /** Index of a dim, least size, greatest size. */
  readonly ranges: readonly (readonly [number, number, number])[];
  /** Index of a dtype variable and what it may be. */
  readonly dtypes: readonly (readonly [number, readonly DType[]])[];
  /** Where it names one size for every dim: the sizes that it was measured on. */
  readonly measuredOn: Dims | undefined;
  readonly choice: Choice;
}

/** Sizes with a measured config. */
interface Anchor {
  readonly dims: Dims;
  readonly takes: (dtypes: Dtypes) => boolean;
  readonly choice: Choice;
}

interface Answer {
  readonly dims: Int32Array;
  readonly dtypes: Dtypes;
  readonly choice: Choice | undefined;
}

/** Doublings of sizes, over all dims, up to which a measured winner is trusted more than a rule: half of one. */
const NEAR = 0.5;
/** And up to which it is still better than the default. */
const FAR = 4;
/** Answers that are remembered; a launch that repeats its sizes costs one look. */
const MOST_ANSWERS = 512;

/**
 * In this order:
 * 1. the winner of this device for the very bucket: the newest and closest thing that is known, of this text on this machine;
 * 2. the table's entries that name one size for every dim: measured as well, but elsewhere;
 * 3. the nearest of both kinds, within half a doubling of all sizes together;
 * 4. the table's other entries: rules for ranges of sizes;
 * 5. the nearest of both kinds within four doublings.
 */
export class ConfigChoice {
  readonly #kernel: KernelDefinition;
  readonly #dimNames: readonly string[];
  readonly #variables: readonly string[];
  readonly #strided: ReadonlySet<string>;
  readonly #table: readonly Entry[];
  readonly #names = new Map<string, Choice>();
  readonly #answers = new Map<number, Answer[]>();
  readonly #find: FindWinners | undefined;
  readonly #measuredElsewhere: readonly Anchor[];
  /** Winners of this device, with their buckets. */
  #measuredHere: readonly (Anchor & { readonly bucket: string })[] | undefined;
  #remembered = 0;

  constructor(
    kernel: KernelDefinition,
    names: { readonly dims: readonly string[]; readonly dtypes: readonly string[] },
    table: readonly TunedConfig[],
    find?: FindWinners,
  ) {
    this.#kernel = kernel;
    this.#dimNames = names.dims;
    this.#variables = names.dtypes;
    this.#strided = stridedDims(kernel);
    this.#table = table.flatMap((entry) => this.#prepare(entry));
    this.#measuredElsewhere = this.#table.flatMap((entry): Anchor[] => {
      const { measuredOn: dims, choice } = entry;
      const takes = (dtypes: Dtypes) => takesDtypes(entry, dtypes);
      return dims === undefined ? [] : [{ dims, takes, choice }];
    });
    this.#find = find;
  }

  /** @param dims sizes in the order of the names; kept by value */
  choose(dims: Int32Array, dtypes: Dtypes): Choice | undefined {
    if (this.#find === undefined && this.#table.length === 0) return undefined;
    const hash = hashOf(dims);
    const known = this.#answers.get(hash);
    if (known !== undefined)
      for (const answer of known)
        if (isSame(answer.dims, dims) && isSame(answer.dtypes, dtypes)) return answer.choice;
    const choice = this.#decide(dims, dtypes);
    this.#remember(hash, { dims: dims.slice(), dtypes: [...dtypes], choice });
    return choice;
  }

  /** Forgets what was read and decided: after tuning. */
  refresh(): void {
    this.#measuredHere = undefined;
    this.#answers.clear();
    this.#remembered = 0;
  }

  #remember(hash: number, answer: Answer): void {
    if (++this.#remembered > MOST_ANSWERS) {
      this.#answers.clear();
      this.#remembered = 1;
    }
    const list = this.#answers.get(hash);
    if (list === undefined) this.#answers.set(hash, [answer]);
    else list.push(answer);
  }

  #decide(dims: Int32Array, dtypes: Dtypes): Choice | undefined {
    const named: Record<string, number> = {};
    this.#dimNames.forEach((name, i) => {
      named[name] = dims[i] ?? 0;
    });
    const here = this.#winners(named, dtypes).filter(({ takes }) => takes(dtypes));
    if (here.length > 0) {
      const bucket = bucketName(this.#kernel, named);
      const same = here.find((winner) => winner.bucket === bucket);
      if (same !== undefined) return same.choice;
    }
    const fitting = this.#table.filter((entry) => holds(entry, dims, dtypes));
    const exact = fitting.find(({ measuredOn }) => measuredOn !== undefined);
    if (exact !== undefined) return exact.choice;
    const elsewhere = this.#measuredElsewhere.filter(({ takes }) => takes(dtypes));
    const nearest = this.#nearest([...here, ...elsewhere], named);
    if (nearest !== undefined && nearest.distance <= NEAR) return nearest.choice;
    return (fitting[0] ?? nearest)?.choice;
  }

  #winners(named: Dims, dtypes: Dtypes): readonly (Anchor & { readonly bucket: string })[] {
    if (this.#measuredHere !== undefined) return this.#measuredHere;
    const bound: Record<string, DType> = {};
    this.#variables.forEach((name, i) => {
      const dtype = dtypes[i];
      if (dtype !== undefined) bound[name] = dtype;
    });
    const winners = this.#find?.(named, bound) ?? [];
    this.#measuredHere = winners
      .filter(({ config }) => fitsKernel(this.#kernel, config))
      .map((winner) => ({
        dims: winner.dims,
        bucket: winner.bucket,
        takes: (given) => this.#variables.every((name, i) => winner.dtypes[name] === given[i]),
        choice: this.#choiceOf(winner.config),
      }));
    return this.#measuredHere;
  }

  #nearest(
    anchors: readonly Anchor[],
    dims: Dims,
  ): { readonly distance: number; readonly choice: Choice } | undefined {
    let best: { readonly distance: number; readonly choice: Choice } | undefined;
    for (const { dims: measured, choice } of anchors) {
      const distance = bucketDistance(this.#strided, measured, dims);
      if (distance <= FAR && (best === undefined || distance < best.distance))
        best = { distance, choice };
    }
    return best;
  }

  #choiceOf(config: TunedValues): Choice {
    const key = configKey(config);
    let choice = this.#names.get(key);
    if (choice === undefined) {
      choice = { config, name: `~${this.#names.size}` };
      this.#names.set(key, choice);
    }
    return choice;
  }

  #prepare(entry: TunedConfig): readonly Entry[] {
    const ranges = Object.entries(entry.dims ?? {}).map(
      ([dim, [least, most]]) => [this.#dimNames.indexOf(dim), least, most] as const,
    );
    const dtypes = Object.entries(entry.dtypes ?? {}).map(
      ([variable, allowed]) => [this.#variables.indexOf(variable), allowed] as const,
    );
    const isKnown = [...ranges, ...dtypes].every(([index]) => index >= 0);
    if (!isKnown) return [];
    const isExact =
      ranges.length > 0 &&
      ranges.length === this.#dimNames.length &&
      ranges.every(([, least, most]) => least === most);
    const measuredOn = isExact
      ? Object.fromEntries(Object.entries(entry.dims ?? {}).map(([dim, [size]]) => [dim, size]))
      : undefined;
    return [{ ranges, dtypes, measuredOn, choice: this.#choiceOf(entry.config) }];
  }
}

function holds(entry: Entry, dims: Int32Array, dtypes: Dtypes): boolean {
  return (
    entry.ranges.every(([dim, least, most]) => {
      const size = dims[dim] ?? 0;
      return size >= least && size <= most;
    }) && takesDtypes(entry, dtypes)
  );
}

function takesDtypes({ dtypes: conditions }: Pick<Entry, "dtypes">, dtypes: Dtypes): boolean {
  return conditions.every(([variable, allowed]) => {
    const dtype = dtypes[variable];
    return dtype !== undefined && allowed.includes(dtype);
  });
}

/** FNV-1a over the sizes. */
function hashOf(dims: Int32Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < dims.length; i++) hash = Math.imul(hash ^ (dims[i] ?? 0), 0x01000193);
  return hash;
}

function isSame<T>(a: ArrayLike<T>, b: ArrayLike<T>): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
