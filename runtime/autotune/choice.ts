/** [runtime/autotune] Which config a launch gets that names none: measured here, measured elsewhere, near sizes, rules. Remembers its answers. */
import type { DType, KernelDefinition } from "../../dsl/index.ts";
import type { Config } from "../bench/own-contender.ts";
import { bucketDistance, bucketName, type Dims, stridedDims } from "./buckets.ts";
import type { StoredWinner } from "./records.ts";
import { configKey } from "./space.ts";
import { appliesTo, fitsKernel, type TunedConfig, takesDtypes } from "./store.ts";

export interface Choice {
  readonly config: Config;
  /** Part of the plan's key; the same for equal configs. */
  readonly name: string;
}

export type Dtypes = readonly (DType | undefined)[];

/** Winners of this device for a kernel; asked once, at the first launch that needs them. */
export type FindWinners = (
  dims: Dims,
  dtypes: Readonly<Record<string, DType>>,
) => readonly StoredWinner[];

/** Sizes with a measured config, and the dtypes that it is for. */
interface Anchor extends Pick<TunedConfig, "dtypes"> {
  readonly dims: Dims;
  readonly choice: Choice;
}

/** A winner of this device. */
interface Winner extends Anchor {
  readonly bucket: string;
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
  readonly #table: readonly TunedConfig[];
  readonly #names = new Map<string, Choice>();
  readonly #answers = new Map<number, Answer[]>();
  readonly #find: FindWinners | undefined;
  readonly #measuredElsewhere: readonly Anchor[];
  #measuredHere: readonly Winner[] | undefined;
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
    this.#table = table;
    this.#measuredElsewhere = table.flatMap((entry): Anchor[] => {
      const dims = this.#measuredOn(entry);
      return dims === undefined ? [] : [{ ...entry, dims, choice: this.#choiceOf(entry.config) }];
    });
    this.#find = find;
  }

  /** @param dims sizes in the order of the names; kept by value */
  choose(dims: Int32Array, dtypes: Dtypes): Choice | undefined {
    if (this.#measuredHere?.length === 0 && this.#table.length === 0) return undefined; // nothing is known of this kernel
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
    const sizes = Object.fromEntries(this.#dimNames.map((name, i) => [name, dims[i] ?? 0]));
    const bound: Record<string, DType> = {};
    this.#variables.forEach((name, i) => {
      const dtype = dtypes[i];
      if (dtype !== undefined) bound[name] = dtype;
    });
    const here = this.#winners(sizes, bound).filter((winner) => takesDtypes(winner, bound));
    const bucket = here.length === 0 ? undefined : bucketName(this.#kernel, sizes);
    const same = here.find((winner) => winner.bucket === bucket);
    if (same !== undefined) return same.choice;
    const fitting = this.#table.filter((entry) => appliesTo(entry, sizes, bound));
    const exact = fitting.find((entry) => this.#measuredOn(entry) !== undefined);
    if (exact !== undefined) return this.#choiceOf(exact.config);
    const elsewhere = this.#measuredElsewhere.filter((anchor) => takesDtypes(anchor, bound));
    const nearest = this.#nearest([...here, ...elsewhere], sizes);
    if (nearest !== undefined && nearest.distance <= NEAR) return nearest.choice;
    return fitting[0] === undefined ? nearest?.choice : this.#choiceOf(fitting[0].config);
  }

  #winners(sizes: Dims, dtypes: Readonly<Record<string, DType>>): readonly Winner[] {
    this.#measuredHere ??= (this.#find?.(sizes, dtypes) ?? [])
      .filter(({ config }) => fitsKernel(this.#kernel, config))
      .map(({ dims, bucket, config, dtypes: measured }) => ({
        dims,
        bucket,
        dtypes: Object.fromEntries(
          Object.entries(measured).map(([name, dtype]) => [name, [dtype]]),
        ),
        choice: this.#choiceOf(config),
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

  #choiceOf(config: Config): Choice {
    const key = configKey(config);
    let choice = this.#names.get(key);
    if (choice === undefined) {
      choice = { config, name: `~${this.#names.size}` };
      this.#names.set(key, choice);
    }
    return choice;
  }

  /** The sizes that an entry was measured on, where it names one size for every dim. */
  #measuredOn({ dims = {} }: TunedConfig): Dims | undefined {
    const ranges = Object.entries(dims);
    const isExact =
      ranges.length > 0 &&
      ranges.length === this.#dimNames.length &&
      ranges.every(([, [least, most]]) => least === most);
    return isExact ? Object.fromEntries(ranges.map(([dim, [size]]) => [dim, size])) : undefined;
  }
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
