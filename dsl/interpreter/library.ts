/** [dsl/interpreter] The functions that generated programs call: exact arithmetic, checks, reports. Names are part of the text. */
import {
  bf16Bits,
  bf16Value,
  f8e4m3Bits,
  f8e4m3Table,
  f8e5m2Bits,
  f8e5m2Table,
  f8e8m0Table,
  f16Bits,
  f16Table,
  roundBf16,
  roundF4e2m1,
  roundF8e4m3,
  roundF8e5m2,
  roundF8e8m0,
  roundF16,
  roundNf4,
} from "../core/rounding.ts";
import { f4e2m1Bits, f4e2m1Value, f8e8m0Bits, nf4Bits, nf4Value } from "../core/storage-formats.ts";
import type { Op, TensorParam } from "../ir/nodes.ts";
import type { Axis } from "../ir/types.ts";
import { operands } from "../ir/visit.ts";
import { type CheckCollector, coordinatesOf, type Shadow } from "./checks.ts";
import { type Dot, dotInt, dotWide } from "./dot.ts";
import { RoleMemory, type RoleName } from "./role-memory.ts";

/** What changes from run to run; the library reads it through this one object. */
export interface RunState {
  collector: CheckCollector;
  print: (op: Extract<Op, { kind: "print" }>, values: ArrayLike<number>) => void;
  observe: (op: Op, scalars: readonly (number | undefined)[]) => void;
}

/**
 * Error function in double precision: a series for small arguments, a continued fraction for the rest.
 * @source Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.6 and 7.1.14
 */
export function erf(x: number): number {
  const z = Math.abs(x);
  if (Number.isNaN(x) || z > 6) return Number.isNaN(x) ? x : Math.sign(x);
  if (z < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = z;
  for (let n = 60; n > 0; n--) fraction = z + n / 2 / fraction;
  return Math.sign(x) * (1 - Math.exp(-z * z) / (fraction * Math.sqrt(Math.PI)));
}

/** Nearest integer, ties to even. */
export function roundEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest < 0.5) return floor === 0 && x < 0 ? -0 : floor;
  if (rest > 0.5) return floor === -1 ? -0 : floor + 1;
  if (!(rest === 0.5)) return x; // NaN and infinities
  const even = floor % 2 === 0 ? floor : floor + 1;
  return even === 0 && x < 0 ? -0 : even;
}

/** Upper 32 bits of the product of two u32. */
export function mulhi(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle % 65536);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}

function floordiv(a: number, b: number): number {
  return b === 0 ? 0 : Math.floor(a / b);
}

function floormod(a: number, b: number): number {
  if (b === 0) return 0;
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

const f32 = new Float32Array(1);
const i32 = new Int32Array(f32.buffer);

const ARITHMETIC = {
  roundF16,
  roundBf16,
  roundF8e4m3,
  roundF8e5m2,
  roundF8e8m0,
  roundF4e2m1,
  roundNf4,
  f16Bits,
  bf16Bits,
  bf16Value,
  f8e4m3Bits,
  f8e5m2Bits,
  f8e8m0Bits,
  f4e2m1Bits,
  f4e2m1Value,
  nf4Bits,
  nf4Value,
  erf,
  roundEven,
  mulhi,
  floordiv,
  floormod,
  floatMin: (a: number, b: number): number => (a < b || Number.isNaN(b) ? a : b),
  floatMax: (a: number, b: number): number => (a > b || Number.isNaN(b) ? a : b),
  saturate: (x: number, low: number, high: number): number => {
    if (Number.isNaN(x)) return 0;
    return x <= low ? low : x >= high ? high : Math.trunc(x) + 0;
  },
  bitsOfF32: (x: number): number => {
    f32[0] = x;
    return i32[0] as number;
  },
  f32OfBits: (bits: number): number => {
    i32[0] = bits;
    return f32[0] as number;
  },
  loadI4: (data: Uint8Array, at: number): number =>
    ((data[at >> 1] as number) << (28 - ((at & 1) << 2))) >> 28,
  loadU4: (data: Uint8Array, at: number): number =>
    ((data[at >> 1] as number) >> ((at & 1) << 2)) & 15,
  storeNibble: (data: Uint8Array, at: number, value: number): void => {
    const shift = (at & 1) << 2;
    data[at >> 1] = ((data[at >> 1] as number) & (0xf0 >> shift)) | ((value & 15) << shift);
  },
  unreachable: (what: string): never => {
    throw new Error(`the interpreter met ${what}`);
  },
} as const;

/** Axes of the tile whose elements an op computes, stores or tests. */
function tileAxes(op: Op): readonly Axis[] {
  if ("result" in op) return op.result.type.axes;
  return (op.kind === "store" ? op.value : operands(op)[0])?.type.axes ?? [];
}

function tileCoordinates(op: Op, at: number): readonly number[] {
  return coordinatesOf(
    at,
    tileAxes(op).map((axis) => axis.size),
  );
}

/** `M=3`, or the size alone for a dim without a name. */
function dimText(tensor: TensorParam, dim: number, size: number): string {
  const name = tensor.shape[dim]?.name;
  return name === undefined ? String(size) : `${name}=${size}`;
}

function memoryChecks(sites: readonly Op[], state: RunState) {
  const op = (site: number): Op => sites[site] as Op;
  return {
    readShadow: (shadow: Shadow, at: number, site: number): void =>
      state.collector.readShadow(shadow, at, op(site)),
    writeShadow: (shadow: Shadow, at: number, site: number): void =>
      state.collector.writeShadow(shadow, at, op(site)),
    updateShadow: (shadow: Shadow, at: number, site: number): void =>
      state.collector.updateShadow(shadow, at, op(site)),
    arrive: (shadow: Shadow, at: number, site: number, old: number, expected: number): void =>
      state.collector.arrive(shadow, at, op(site), old, expected),
    failArrival: (site: number, { tensor, shape }: Shadow, at: readonly number[]): void => {
      state.collector.report("TW1301", op(site), [], {
        message: `a counter is outside of ${tensor.name}`,
        seen: `${tensor.name}[${at.join(", ")}]`,
        expected: `indices below ${shape.map((size, dim) => dimText(tensor, dim, size)).join(", ")}`,
        remedy: "guard the arrival with an if",
      });
    },
    failScalarLoad: (site: number, { tensor, shape }: Shadow, at: readonly number[]): void => {
      state.collector.report("TW1301", op(site), [], {
        message: `a scalar load is outside of ${tensor.name}`,
        seen: `${tensor.name}[${at.join(", ")}]`,
        expected: `indices below ${shape.map((size, dim) => dimText(tensor, dim, size)).join(", ")}`,
        remedy: "guard the load with an if, or load a tile, which fills what is outside",
      });
    },
    failGather: (
      site: number,
      { tensor, shape }: Shadow,
      dim: number,
      index: number,
      at: number,
    ): void => {
      const size = shape[dim] ?? 0;
      state.collector.report("TW1302", op(site), tileCoordinates(op(site), at), {
        message: `a gather index is outside of dim ${dim} of ${tensor.name}`,
        seen: String(index),
        expected: `-1, or an index from 0, below ${dimText(tensor, dim, size)}`,
        remedy: "use -1 for elements that must not be touched, or mask them",
      });
    },
  };
}

function arithmeticChecks(sites: readonly Op[], state: RunState) {
  const op = (site: number): Op => sites[site] as Op;
  const division = (site: number, a: number, at: number): void =>
    state.collector.report("TW1307", op(site), tileCoordinates(op(site), at), {
      message: "division by zero",
      seen: `${a} divided by 0`,
      expected: "a divisor other than 0",
      remedy: "replace the divisor where it is 0, for example with where() or maximum()",
    });
  const overflow = (site: number, exact: number | undefined, at: number): void =>
    state.collector.report("TW1306", op(site), tileCoordinates(op(site), at), {
      message: "an i32 result overflows",
      seen: exact === undefined ? "a sum of products outside of i32" : String(exact),
      expected: "a result from -2147483648 to 2147483647",
      remedy: "compute in smaller numbers, or in u32 where wrapping is meant",
    });
  return {
    checkedI32: (exact: number, site: number, at: number): number => {
      if (exact > 2147483647 || exact < -2147483648) overflow(site, exact, at);
      return exact | 0;
    },
    floordivChecked: (a: number, b: number, site: number, at: number): number => {
      if (b === 0) division(site, a, at);
      const quotient = floordiv(a, b);
      if (quotient > 2147483647 && a < 0) overflow(site, quotient, at);
      return quotient;
    },
    floormodChecked: (a: number, b: number, site: number, at: number): number => {
      if (b === 0) division(site, a, at);
      return floormod(a, b);
    },
    dotI32: (...args: [...Parameters<Dot<Int32Array>>, site?: number]): void => {
      const [out, a, m, aRow, aK, b, n, bRow, bK, k, acc, site] = args;
      const report =
        site === undefined ? undefined : (at: number): void => overflow(site, undefined, at);
      dotInt([out, a, m, aRow, aK, b, n, bRow, bK, k, acc], report);
    },
  };
}

function controlChecks(sites: readonly Op[], state: RunState) {
  const op = (site: number): Op => sites[site] as Op;
  return {
    /** A step that is not positive would never end, so the run stops at once. */
    checkStep: (step: number, site: number): void => {
      if (step > 0) return;
      state.collector.report("TW1310", op(site), [], {
        message: "the step of a loop is not positive",
        seen: String(step),
        expected: "a step of at least 1",
        remedy: "count upwards",
      });
      state.collector.throwIfAny();
    },
    failTrips: (site: number): void => {
      const loop = op(site);
      state.collector.report("TW1308", loop, [], {
        message: "a while loop did not end in time",
        seen: `${loop.kind === "while" ? loop.maxTrips : 0} trips`,
        expected: "a condition that becomes false before",
        remedy: "raise the loop's limit, or correct its condition",
      });
    },
    failAssert: (site: number, at: number): void => {
      const assertion = op(site);
      state.collector.report("TW1311", assertion, tileCoordinates(assertion, at), {
        message: `assertion failed: ${assertion.kind === "assert" ? assertion.message : ""}`,
        seen: "false",
        expected: "true",
        remedy: "correct the kernel, or what it is given",
      });
    },
    failIfAny: (
      site: number,
      row: number,
      kind: "mixed" | "active",
      a: number,
      b: number,
    ): void => {
      const mixed = kind === "mixed";
      state.collector.report("TW1309", op(site), [row], {
        message: mixed
          ? "the body of an ifAny is not local to rows"
          : "the body of an ifAny changes rows whose condition is false",
        seen: mixed
          ? `${a} with the other rows as they are, ${b} with them poisoned`
          : `${a} where the body ran, ${b} where it did not`,
        expected: "the same result whatever set of rows runs",
        remedy: mixed
          ? "let each row depend on its own values only"
          : "make the body neutral where the condition is false",
      });
    },
    mute: (muted: boolean): void => state.collector.mute(muted),
  };
}

function roleMemory(sites: readonly Op[], state: RunState) {
  const op = (site: number): Op => sites[site] as Op;
  return {
    newRoleMemory: (): RoleMemory =>
      new RoleMemory(
        (code, site, finding) => state.collector.report(code, op(site), [], finding),
        op,
      ),
    /** Roles that never end stop the run at once. */
    runRoles: (
      memory: RoleMemory,
      site: number,
      roles: Readonly<Record<RoleName, Generator<number, void>>>,
    ): void => {
      if (!memory.run(site, roles)) state.collector.throwIfAny();
    },
  };
}

/** Everything that generated text may name, for the ops numbered by `sites`. */
export function createLibrary(
  sites: readonly Op[],
  state: RunState,
  dotF32: Dot<Float32Array>,
): Readonly<Record<string, unknown>> {
  return {
    ...ARITHMETIC,
    ...memoryChecks(sites, state),
    ...arithmeticChecks(sites, state),
    ...controlChecks(sites, state),
    ...roleMemory(sites, state),
    F16: f16Table(),
    F8E4M3: f8e4m3Table(),
    F8E5M2: f8e5m2Table(),
    F8E8M0: f8e8m0Table(),
    dotF32,
    dotWide,
    printTile: (site: number, values: ArrayLike<number>): void => {
      const op = sites[site];
      if (op?.kind === "print") state.print(op, values);
    },
    observe: (site: number, scalars: readonly (number | undefined)[]): void => {
      const op = sites[site];
      if (op !== undefined) state.observe(op, scalars);
    },
  };
}
