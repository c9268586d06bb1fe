/** [codegen/passes/threads] Places in register loops: linear forms of loop counters, and digits of one list of iters seen from another. */
import { InternalError } from "../../../dsl/index.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";

/** Σ coefficient × counter + constant. Counters are named; those of a nest that is not opened yet are `#0`, `#1`, … */
export interface Lin {
  readonly base: number;
  readonly terms: ReadonlyMap<string, number>;
}

export const ZERO: Lin = { base: 0, terms: new Map() };

export function linConst(base: number): Lin {
  return { base, terms: ZERO.terms };
}

export function linCounter(name: string): Lin {
  return { base: 0, terms: new Map([[name, 1]]) };
}

export function linAdd(a: Lin, b: Lin): Lin {
  if (b.terms.size === 0 && b.base === 0) return a;
  const terms = new Map(a.terms);
  for (const [name, k] of b.terms) terms.set(name, (terms.get(name) ?? 0) + k);
  return { base: a.base + b.base, terms };
}

export function linScale(a: Lin, factor: number): Lin {
  if (factor === 1) return a;
  if (factor === 0) return ZERO;
  return {
    base: a.base * factor,
    terms: new Map([...a.terms].map(([name, k]) => [name, k * factor])),
  };
}

/** Where a register loop stands: a digit for each iter of the loop. */
export interface Place {
  readonly iters: readonly Iter[];
  readonly digits: readonly Lin[];
}

/** The one place of a value that has no registers along any axis. */
export const ORIGIN: Place = { iters: [], digits: [] };

/** Coordinate along an axis that the registers contribute; threads add theirs. */
export function coordinateOf(place: Place, axis: string): Lin {
  return place.iters.reduce(
    (sum, iter, i) =>
      iter.axis === axis ? linAdd(sum, linScale(place.digits[i] ?? ZERO, iter.stride)) : sum,
    ZERO,
  );
}

/**
 * The digit of `iter` at a place whose own iters are as fine or finer.
 * @throws InternalError TW9001 where an iter of the place straddles a border of `iter`; refineIters prevents this
 */
function digitAt(place: Place, iter: Iter): Lin {
  const end = iter.stride * iter.extent;
  let digit = ZERO;
  place.iters.forEach((part, i) => {
    if (part.axis !== iter.axis || part.extent === 1) return;
    const partEnd = part.stride * part.extent;
    if (partEnd <= iter.stride || part.stride >= end) return;
    if (part.stride < iter.stride || partEnd > end || part.stride % iter.stride !== 0) {
      throw new InternalError({
        code: "TW9001",
        message: `internal error: register iter ${part.extent}:${part.axis}=${part.stride} straddles ${iter.extent}:${iter.axis}=${iter.stride}`,
      });
    }
    digit = linAdd(digit, linScale(place.digits[i] ?? ZERO, part.stride / iter.stride));
  });
  return digit;
}

/** The same place in the iters of another layout of some of the same axes. */
export function placeIn(place: Place, layout: RegisterLayout): Place {
  if (place.iters === layout.reg) return place;
  return { iters: layout.reg, digits: layout.reg.map((iter) => digitAt(place, iter)) };
}

/** Register index at a place of the layout's own iters. */
export function registerAt(place: Place): Lin {
  let weight = 1;
  let index = ZERO;
  place.iters.forEach((iter, i) => {
    index = linAdd(index, linScale(place.digits[i] ?? ZERO, weight));
    weight *= iter.extent;
  });
  return index;
}

/** Cuts iters where the iters of `others` begin or end along the same axis, so that digits of both are linear in the pieces. */
export function refineIters(
  iters: readonly Iter[],
  others: readonly (readonly Iter[])[],
): readonly Iter[] {
  const borders = new Map<string, Set<number>>();
  for (const other of others.flat()) {
    if (other.axis === null) continue;
    const set = borders.get(other.axis) ?? new Set();
    borders.set(other.axis, set.add(other.stride).add(other.stride * other.extent));
  }
  return iters.flatMap((iter) => {
    const end = iter.stride * iter.extent;
    const cuts = [...(borders.get(iter.axis ?? "") ?? [])]
      .filter((b) => b > iter.stride && b < end && b % iter.stride === 0 && end % b === 0)
      .sort((a, b) => a - b);
    const out: Iter[] = [];
    let stride = iter.stride;
    for (const cut of [...cuts, end]) {
      if (cut % stride !== 0) continue;
      if (cut > stride) out.push({ axis: iter.axis, stride, extent: cut / stride });
      stride = cut;
    }
    return iter.extent === 1 ? [iter] : out;
  });
}
