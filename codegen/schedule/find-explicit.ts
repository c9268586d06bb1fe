/**
 * [codegen/schedule] Roles that a kernel writes out itself: whether the target has all that they ask for as they stand, and how their dots are shared
 * out. What is missing is said in one phrase; nothing is changed.
 */
import {
  type Axis,
  type Definition,
  DTYPES,
  definitions,
  elementCount,
  isScalar,
  type Op,
  results,
  type TileKernel,
  type Value,
  walkOps,
} from "../../dsl/index.ts";
import { findUses } from "../analysis/tile-uses.ts";
import { isWgmmaColumns, isWgmmaType } from "../ir/instructions.ts";
import { comfortableSize } from "../passes/padded-sizes.ts";
import { hasFeature, type PassContext } from "../passes/pass.ts";
import { WARPS_IN_GROUP } from "../passes/role-parts.ts";
import { type DotShape, dotShape, sizesOf } from "./dot-forms.ts";
import { boxObstacle } from "./find-boxes.ts";
import { MOST_CONSUMERS, mostAccumulators, mostColumns, PANELS_BYTES, ROWS } from "./role-loop.ts";
import { wishesOf } from "./wishes.ts";

type DotOp = Extract<Op, { kind: "dot" }>;
type LoadOp = Extract<Op, { kind: "load" }>;
type RolesOp = Extract<Op, { kind: "roles" }>;
type RingOp = Extract<Op, { kind: "ring" }>;

/** Of operands along the contraction that one product takes. */
const STEP_BITS = 256;

export interface ExplicitRoles {
  readonly roles: RolesOp;
  readonly dots: readonly { readonly dot: DotOp; readonly shape: DotShape }[];
  /** Loads that asynchronous copies bring into rings. */
  readonly copies: readonly LoadOp[];
  /** Tiles that dots read in their slots. */
  readonly slots: readonly Value[];
  /** Slots that are read into registers, by the id of the tile: then each warp arrives when all its lanes have read. */
  readonly read: ReadonlySet<number>;
}

export type FoundExplicit = { readonly found: ExplicitRoles } | { readonly obstacle: string };

/** Whether a product starts a sum. */
function isZero(acc: Value | undefined, defs: ReadonlyMap<number, Definition>): boolean {
  const found = acc === undefined ? undefined : defs.get(acc.id);
  if (found === undefined) return acc === undefined;
  return found.kind === "op" && found.op.kind === "const" && found.op.value === 0;
}

/** Whether the tensor core keeps fewer bits of its sums than f32 has. */
export function hasShortSums({ a }: DotOp): boolean {
  const { bits, kind } = DTYPES[a.type.dtype];
  return bits === 8 && kind === "float";
}

class Examiner {
  readonly #kernel: TileKernel;
  readonly #context: PassContext;
  readonly #roles: RolesOp;
  readonly #defs: ReadonlyMap<number, Definition>;
  readonly #uses: ReturnType<typeof findUses>;
  readonly #rings = new Map<string, RingOp>();
  /** The axis that the dots of a ring's tiles contract, which must be their last. */
  readonly #contracted = new Map<string, string>();
  readonly #read = new Set<number>();
  /** Sums of 8-bit floats may stay in the tensor core. */
  readonly #isFast: boolean;

  constructor(kernel: TileKernel, roles: RolesOp, context: PassContext) {
    this.#kernel = kernel;
    this.#context = context;
    this.#roles = roles;
    this.#isFast = wishesOf(kernel).fastSums === true;
    this.#defs = definitions(kernel.body);
    this.#uses = findUses(kernel.body);
    for (const op of kernel.body.ops) if (op.kind === "ring") this.#rings.set(op.ring, op);
  }

  run(): FoundExplicit {
    const dots: { dot: DotOp; shape: DotShape }[] = [];
    const copies: LoadOp[] = [];
    const slots: Value[] = [];
    const obstacles: string[] = [];
    const note = (why: string | undefined): void => {
      if (why !== undefined) obstacles.push(why);
    };
    const { warpgroups } = this.#roles;
    if (warpgroups > MOST_CONSUMERS) note(`${warpgroups} warpgroups, more than ${MOST_CONSUMERS}`);
    note(this.#outside());
    walkOps(this.#roles.consumer, (op) => {
      if (op.kind === "slot") {
        if (op.registers !== true) slots.push(op.result);
        note(this.#slot(op));
      }
      if (op.kind !== "dot") return;
      const shape = dotShape(op);
      note(this.#dot(op, shape));
      if (shape !== undefined) dots.push({ dot: op, shape });
    });
    walkOps(this.#roles.producer, (op) => {
      if (op.kind !== "copy_async") return;
      const load = this.#defs.get(op.value.id);
      if (load?.kind !== "op" || load.op.kind !== "load") {
        note("a copy brings what is no load");
        return;
      }
      copies.push(load.op);
      note(this.#copy(load.op, op.ring));
    });
    note(this.#sizes(dots.map(({ dot }) => dot)));
    if (this.#read.size > 0) note(this.#arrivals());
    note(this.#memory());
    const [obstacle] = obstacles;
    return obstacle === undefined
      ? { found: { roles: this.#roles, dots, copies, slots, read: this.#read } }
      : { obstacle };
  }

  /** Tiles that stand ahead of the roles would be everybody's. */
  #outside(): string | undefined {
    const at = this.#kernel.body.ops.indexOf(this.#roles);
    if (at < this.#kernel.body.ops.length - 1) return "work stands behind the roles";
    const tile = this.#kernel.body.ops.find((op) =>
      results(op).some(({ type }) => !isScalar(type)),
    );
    return tile === undefined ? undefined : `a ${tile.kind} of a tile stands ahead of the roles`;
  }

  #ringOf(value: Value): string | undefined {
    const found = this.#defs.get(value.id);
    if (found?.kind !== "op" || found.op.kind !== "slot") return undefined;
    return found.op.registers === true ? undefined : found.op.ring;
  }

  #slot({ result, ring, registers }: Extract<Op, { kind: "slot" }>): string | undefined {
    const readers = this.#uses.get(result.id) ?? [];
    const isOperand = readers.every(({ op }) => op?.kind === "dot" && op.async === true);
    if (isOperand && registers !== true) return undefined;
    this.#read.add(result.id);
    const { bits } = DTYPES[result.type.dtype];
    return bits < 8 ? `a slot of ${ring} is read whose elements are ${bits} bits wide` : undefined;
  }

  #dot(dot: DotOp, shape: DotShape | undefined): string | undefined {
    const { dtype } = dot.a.type;
    if (dot.async !== true) return "the consumer has a dot() besides";
    if (shape === undefined) return "an operand has other than two axes";
    if (dtype !== dot.b.type.dtype || !isWgmmaType(dtype))
      return `wgmma does not multiply ${dtype} and ${dot.b.type.dtype}`;
    const { bits, kind } = DTYPES[dtype];
    const operands = this.#operands(dot, shape, bits);
    if (operands !== undefined) return operands;
    if (hasShortSums(dot) && !this.#isFast && !isZero(dot.acc, this.#defs))
      return "the tensor core keeps about 14 bits of sums of 8-bit floats: add the product of each trip yourself, acc = acc + dotWait(0, dotAsync(a, b)), or allow it by the wish fastSums";
    const { m, n } = shape;
    const { warpgroups } = this.#roles;
    if (m.size % (ROWS * warpgroups) !== 0 || !isWgmmaColumns(n.size, kind === "int"))
      return `${sizesOf(shape)} is no multiple of ${ROWS * warpgroups} rows and ${kind === "int" ? 16 : 8} columns (256 at most)`;
    const threads = warpgroups * WARPS_IN_GROUP * this.#context.target.warpSize;
    const words = this.#ringOf(dot.a) === undefined ? (m.size * shape.k.size * bits) / 32 : 0;
    const accumulators = (m.size * n.size + words) / threads;
    return accumulators <= mostAccumulators(warpgroups) && n.size <= mostColumns(warpgroups)
      ? undefined
      : `${sizesOf(shape)} needs more accumulators than the registers of ${warpgroups} warpgroups hold`;
  }

  /** Where operands lie: columns in a slot, rows in a slot or in registers. The axis that each ring's tiles must have last is noted. */
  #operands(dot: DotOp, { k }: DotShape, bits: number): string | undefined {
    if (this.#ringOf(dot.b) === undefined)
      return "the second operand of a dot is no slot: wgmma reads columns from shared memory alone";
    if (this.#ringOf(dot.a) === undefined) {
      if (bits !== 16 && dot.a.type.dtype !== "f8e4m3")
        return `rows in registers are of ${dot.a.type.dtype}, neither of 16 bits nor f8e4m3`;
      if (k.size % (STEP_BITS / bits) !== 0)
        return `${k.size} elements of rows in registers are no multiple of ${STEP_BITS / bits}`;
    }
    // Columns of 16 bits may lie either way round.
    for (const operand of bits === 16 ? [dot.a] : [dot.a, dot.b]) {
      const ring = this.#ringOf(operand);
      if (ring === undefined) continue;
      const other = this.#contracted.get(ring) ?? dot.axis;
      if (other !== dot.axis) return `dots contract two axes of ${ring}`;
      this.#contracted.set(ring, dot.axis);
    }
    return undefined;
  }

  #copy(load: LoadOp, ring: string): string | undefined {
    const { tensor } = load;
    if ((this.#uses.get(load.result.id)?.length ?? 0) > 1) return `${tensor} is copied twice`;
    const axis = this.#contracted.get(ring);
    return boxObstacle(this.#kernel, load, axis, this.#context);
  }

  /** Tiles in registers keep their sizes: nothing is padded beside roles. */
  #sizes(dots: readonly DotOp[]): string | undefined {
    const keyOf = ({ name, size }: Axis): string => `${name}=${size}`;
    const products = new Set(dots.flatMap(({ result }) => result.type.axes.map(keyOf)));
    let odd: Axis | undefined;
    walkOps(this.#roles.consumer, (op) => {
      if (op.kind === "slot" && !this.#read.has(op.result.id)) return;
      for (const { type } of results(op))
        odd ??= type.axes.find(
          (axis) => !products.has(keyOf(axis)) && comfortableSize(axis.size) !== axis.size,
        );
    });
    return odd === undefined ? undefined : `${odd.size} elements along ${odd.name} would be padded`;
  }

  /** Warps arrive one by one: a barrier counts them, or expected bytes. */
  #arrivals(): string | undefined {
    const expected = new Set<string>();
    const arrived = new Set<string>();
    for (const block of [this.#roles.producer, this.#roles.consumer])
      walkOps(block, (op) => {
        if (op.kind !== "barrier_arrive") return;
        (op.bytes === undefined ? arrived : expected).add(op.barrier);
      });
    const both = [...arrived].find((name) => expected.has(name));
    return both === undefined ? undefined : `both roles arrive at ${both}`;
  }

  /** Whether results may leave through panels: those of 16 bits do. */
  #storesHalves(): boolean {
    let found = false;
    walkOps(this.#roles.consumer, (op) => {
      if (op.kind === "store" && DTYPES[op.value.type.dtype].bits === 16) found = true;
    });
    return found;
  }

  #memory(): string | undefined {
    const bytes = [...this.#rings.values()].reduce((sum, { dtype, axes, stages }) => {
      return sum + (stages * elementCount({ dtype, axes }) * DTYPES[dtype].bits) / 8;
    }, 0);
    const needed = bytes + (this.#storesHalves() ? this.#roles.warpgroups * PANELS_BYTES : 0);
    const { maxSharedBytes } = this.#context.target;
    return needed <= maxSharedBytes
      ? undefined
      : `slots and panels take ${needed} bytes of shared memory, more than ${maxSharedBytes}`;
  }
}

/** Cards of sm_90 have what roles ask for, but texts for sm_90 leave it out; later ones have it in other forms. */
function noFeatures({ target: { target, arch } }: PassContext): string {
  if (arch === "sm_90")
    return "code for sm_90 leaves out the copy engine and asynchronous products: compile for sm_90a, which runs on the same cards";
  return arch !== undefined && /^sm_1\d\d/.test(arch)
    ? `the copy engine and asynchronous products are used on sm_90a alone, not on ${arch}`
    : `${arch ?? target} has no copy engine and no asynchronous products`;
}

/** Roles of the kernel's own, with what stands in their way on this target; undefined where it has none. */
export function findExplicit(kernel: TileKernel, context: PassContext): FoundExplicit | undefined {
  const roles = kernel.body.ops.find((op) => op.kind === "roles");
  if (roles?.kind !== "roles") return undefined;
  if (!hasFeature(context, "wgmma") || !hasFeature(context, "tma")) {
    return { obstacle: noFeatures(context) };
  }
  return new Examiner(kernel, roles, context).run();
}
