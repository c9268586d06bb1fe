/** [runtime] Everything of a specialisation that a launch needs: the loaded kernel, its words and its grid, patched in place. */
import { didYouMean, type KernelDefinition, LaunchError, UnsupportedError } from "../dsl/index.ts";
import type { Loadable, LoadedKernel } from "./backend.ts";
import type { DeviceLimits } from "./device.ts";
import type { Bound, KernelBinding } from "./launch.ts";

export type Grid = readonly [number, number, number];
type Config = Readonly<Record<string, number | boolean>>;

export class Plan {
  readonly loaded: LoadedKernel;
  /** What the kernel was compiled with; the grid follows it. */
  readonly config: Config;
  /** Dims, then scalars, one word each, in ABI order. */
  readonly words: Uint32Array;
  readonly #floats: Float32Array;
  readonly #binding: KernelBinding;
  /** Indices into the bound dims of those that are in the ABI. */
  readonly #abiDims: readonly number[];
  readonly #isFloat: readonly boolean[];
  /** The grid of the last launch and the dims it is for. */
  readonly #gridDims: Int32Array;
  #grid: Grid | undefined;

  constructor(loaded: LoadedKernel, loadable: Loadable, binding: KernelBinding) {
    const abi =
      loadable.kind === "tile"
        ? loadable.tile.dims
        : loadable.artifact.params.flatMap((p) => (p.kind === "dim" ? [p.name] : []));
    this.loaded = loaded;
    this.config = loadable.kind === "tile" ? loadable.tile.config : loadable.artifact.config;
    this.words = new Uint32Array(abi.length + binding.scalarNames.length);
    this.#floats = new Float32Array(this.words.buffer);
    this.#binding = binding;
    this.#abiDims = abi.map((name) => binding.dimNames.indexOf(name));
    this.#isFloat = binding.scalarSpecs.map((spec) => spec.dtype === "f32");
    this.#gridDims = new Int32Array(binding.dimNames.length);
  }

  packWords({ dims, scalars }: Bound): void {
    const abi = this.#abiDims;
    for (let i = 0; i < abi.length; i++) this.words[i] = dims[abi[i] ?? 0] ?? 0;
    for (let i = 0; i < scalars.length; i++) {
      const value = scalars[i] ?? 0;
      if (this.#isFloat[i]) this.#floats[abi.length + i] = value;
      else this.words[abi.length + i] = value;
    }
  }

  /** @throws LaunchError TW3111, TW3112 */
  grid(dims: Int32Array, limits: DeviceLimits): Grid {
    const known = this.#grid;
    if (known !== undefined && isSame(dims, this.#gridDims)) return known;
    const grid = gridOf(this.#binding, dims, this.config, limits);
    this.#gridDims.set(dims);
    this.#grid = grid;
    return grid;
  }
}

/** Dims and config values that the grid function asks for and nobody has: a misspelt one is undefined, and makes NaN of what it enters. */
function unknownReads(
  kernel: KernelDefinition,
  dims: Readonly<Record<string, number>>,
  config: Config,
): readonly { readonly seen: string; readonly meant: string }[] {
  const unknown = new Map<string, string>();
  const watched = <T extends object>(what: string, values: T): T =>
    new Proxy(values, {
      get: (target, key) => {
        if (typeof key === "string" && !(key in target))
          unknown.set(`no ${what} ${key}`, didYouMean(key, Object.keys(target)));
        return Reflect.get(target, key);
      },
    });
  kernel.grid(watched("dim", dims), watched("config value", config));
  return [...unknown].map(([seen, meant]) => ({ seen, meant }));
}

/**
 * Number of programs along each axis.
 * @throws LaunchError TW3111 where the kernel's grid function gives no counts; UnsupportedError TW3112 where the device has no such grid
 */
export function gridOf(
  { kernel, dimNames }: KernelBinding,
  dims: Int32Array,
  config: Config,
  { maxGrid }: DeviceLimits,
): Grid {
  const named: Record<string, number> = {};
  for (let i = 0; i < dimNames.length; i++) named[dimNames[i] ?? ""] = dims[i] ?? 0;
  const given = kernel.grid(named, config);
  const counts: readonly number[] = Array.isArray(given) ? given : [given as number];
  const [x, y = 1, z = 1, ...rest] = counts;
  if (x === undefined || rest.length > 0 || !isCount(x) || !isCount(y) || !isCount(z)) {
    const unknown = unknownReads(kernel, named, config);
    throw new LaunchError({
      code: "TW3111",
      message: `${kernel.name}: the grid is not one to three counts`,
      seen: [
        `${counts.map(String).join(" × ") || "none"}, for ${namesOf(named)} and the config ${namesOf(config)}`,
        ...unknown.map(({ seen }) => seen),
      ].join("; "),
      expected: "integers from 0 to 2147483647",
      remedy: `${unknown.map(({ meant }) => meant).join("")}use cdiv() in \`grid\` so that sizes stay whole, only dims that a tensor names, and config values above 0`,
    });
  }
  if (x > maxGrid[0] || y > maxGrid[1] || z > maxGrid[2]) {
    throw new UnsupportedError({
      code: "TW3112",
      message: `${kernel.name}: the grid is larger than the device allows`,
      seen: `${x} × ${y} × ${z} programs`,
      expected: `at most ${maxGrid.join(" × ")}`,
      remedy: "put the longest axis first, or let a program take more of it",
    });
  }
  return [x, y, z];
}

function namesOf(values: Readonly<Record<string, number | boolean>>): string {
  const entries = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
  return entries.join(", ") || "nothing";
}

export function isEmptyGrid([x, y, z]: Grid): boolean {
  return x === 0 || y === 0 || z === 0;
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function isCount(n: number): boolean {
  return Number.isInteger(n) && n >= 0 && n < 2 ** 31;
}
