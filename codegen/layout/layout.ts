/** [codegen/layout] What a layout is: which thread and register, or which byte of shared memory, holds an element of a tile. Types only. */
import type { Axis } from "../../dsl/index.ts";

/**
 * `extent` consecutive values of a hardware index, each moving `stride` elements along tile axis `axis`.
 * `axis: null` is replication: all `extent` values hold the same element.
 */
export interface Iter {
  readonly extent: number;
  readonly axis: string | null;
  readonly stride: number;
}

/**
 * Distribution of a tile over registers, lanes and warps. Each hardware axis is a mixed-radix number whose first iter is the
 * fastest digit; the coordinate along a tile axis is the sum of digit × stride over all iters of that axis (disjoint, so the sum
 * never carries). Every element of the tile is held at least once: for each tile axis the iters cover 0 … size-1 exactly.
 * Sizes need not be powers of two (80 = 16 × 5); lane and warp extents are, but for the slowest iter of the warps (three warpgroups).
 * mma fragments, blocked layouts and their slices are all of this form.
 */
export interface RegisterLayout {
  readonly kind: "register";
  readonly axes: readonly Axis[];
  readonly reg: readonly Iter[];
  readonly lane: readonly Iter[];
  readonly warp: readonly Iter[];
}

/**
 * XOR swizzle on an element offset: bits [base, base + bits) ^= bits [base + shift, base + shift + bits).
 * @source the swizzle of TMA and wgmma (PTX ISA, "tensor swizzling modes"), in elements instead of bytes
 */
export interface Swizzle {
  readonly bits: number;
  readonly base: number;
  readonly shift: number;
}

/** Element offset in shared memory: swizzle(Σ coordinate × stride), stages apart by `stageElements`. Padding shows as larger strides. */
export interface SharedLayout {
  readonly kind: "shared";
  readonly axes: readonly Axis[];
  /** One stride per axis, in elements. */
  readonly strides: readonly number[];
  readonly swizzle?: Swizzle;
  /** Elements from one pipeline stage to the next. */
  readonly stageElements: number;
}

export type Layout = RegisterLayout | SharedLayout;
