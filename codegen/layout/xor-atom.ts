/** [codegen/layout] XOR-linear atoms: power-of-two tiles whose coordinates are GF(2)-linear in the bits of the hardware index; and their embedding into iters. */
import type { Axis } from "../../dsl/index.ts";
import type { Iter, RegisterLayout } from "./layout.ts";
import { canonicalLayout, powerOfTwoPart } from "./register-layout.ts";

/** What one bit of a hardware index XORs into each coordinate, in the order of the atom's axes. */
export type XorColumn = readonly number[];

/** A tile of power-of-two sizes; element of a place = XOR of the columns of its set bits, least bit first. */
export interface XorAtom {
  readonly axes: readonly Axis[];
  readonly reg: readonly XorColumn[];
  readonly lane: readonly XorColumn[];
  readonly warp: readonly XorColumn[];
}

function addBits(columns: readonly XorColumn[], index: number, into: number[]): void {
  columns.forEach((column, bit) => {
    if (((index >> bit) & 1) === 0) return;
    column.forEach((value, axis) => {
      into[axis] = (into[axis] ?? 0) ^ value;
    });
  });
}

/** Coordinates of the element that a place holds. */
export function xorCoordinates(
  atom: XorAtom,
  at: { readonly reg: number; readonly lane: number; readonly warp: number },
): readonly number[] {
  const sums = atom.axes.map(() => 0);
  addBits(atom.reg, at.reg, sums);
  addBits(atom.lane, at.lane, sums);
  addBits(atom.warp, at.warp, sums);
  return sums;
}

/** One column as one integer: the axes' bits side by side. */
function pack(axes: readonly Axis[], column: XorColumn): bigint {
  let packed = 0n;
  axes.forEach((axis, i) => {
    packed = packed * BigInt(axis.size) + BigInt(column[i] ?? 0);
  });
  return packed;
}

/** Rank of the atom's matrix over GF(2). It holds every element exactly when this is the number of coordinate bits. */
export function xorRank(atom: XorAtom): number {
  const basis: bigint[] = [];
  for (const column of [...atom.reg, ...atom.lane, ...atom.warp]) {
    let rest = pack(atom.axes, column);
    for (const vector of basis) if ((rest ^ vector) < rest) rest ^= vector;
    if (rest === 0n) continue;
    basis.push(rest);
    basis.sort((a, b) => (a < b ? 1 : -1));
  }
  return basis.length;
}

/** The column as an iter of extent 2, where it moves along one axis by a power of two (or not at all). */
function columnIter(axes: readonly Axis[], column: XorColumn): Iter | undefined {
  const moved = column.flatMap((value, i) => (value === 0 ? [] : [{ value, axis: axes[i] }]));
  const [only] = moved;
  if (only === undefined) return { extent: 2, axis: null, stride: 0 };
  if (moved.length > 1 || only.axis === undefined) return undefined;
  if (powerOfTwoPart(only.value) !== only.value) return undefined;
  return { extent: 2, axis: only.axis.name, stride: only.value };
}

/**
 * The atom as a register layout, where no bit moves along two directions at once (then XOR and sum agree).
 * @returns undefined for atoms that truly need XOR, such as swizzles
 */
export function embedXorAtom(atom: XorAtom): RegisterLayout | undefined {
  const embed = (columns: readonly XorColumn[]): readonly Iter[] | undefined => {
    const iters = columns.map((column) => columnIter(atom.axes, column));
    return iters.every((iter) => iter !== undefined) ? iters : undefined;
  };
  const reg = embed(atom.reg);
  const lane = embed(atom.lane);
  const warp = embed(atom.warp);
  if (reg === undefined || lane === undefined || warp === undefined) return undefined;
  return canonicalLayout({ kind: "register", axes: atom.axes, reg, lane, warp });
}
