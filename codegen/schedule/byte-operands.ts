/** [codegen/schedule] Operands of mma.sync that lie in shared memory as 8-bit floats and become 16 bits on the way to registers: which are, and the layouts that this asks for. */
import type { Definition, Op, TileKernel } from "../../dsl/index.ts";
import type { Usage } from "../analysis/tile-uses.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import {
  mmaAccumulator,
  mmaAccumulatorByTwos,
  mmaOperandA,
  mmaOperandAByFours,
  type WarpGrid,
} from "../layout/mma-layout.ts";
import { hasFeature, type PassContext } from "../passes/pass.ts";
import type { DotOp, DotShape } from "./dot-forms.ts";

type LoadOp = Extract<Op, { kind: "load" }>;

/** Operand b of a dot: the load of the bytes, and the cast that the dot makes itself. */
export interface ByteOperand {
  readonly load: LoadOp;
  /** Id of the cast's result. */
  readonly cast: number;
  /** Axis along which neighbours lie in memory: the contraction, or the columns. */
  readonly along: "contraction" | "columns";
}

export interface OperandSearch {
  readonly kernel: TileKernel;
  readonly definitions: ReadonlyMap<number, Definition>;
  readonly uses: ReadonlyMap<number, readonly Usage[]>;
  /** Packed tensors: they go straight to registers. */
  readonly packed: ReadonlySet<string>;
}

/** Columns that one transposed matrix of byte pairs covers. */
const COLUMNS = 16;

/** Operand b of a dot on mma.sync, where it is made of e4m3 for this dot alone. f16 holds each such number. */
export function byteOperand(
  op: DotOp,
  { kernel, definitions, uses, packed }: OperandSearch,
  context: PassContext,
): ByteOperand | undefined {
  if (!hasFeature(context, "cvt.e4m3") || op.b.type.dtype !== "f16") return undefined;
  const cast = definitions.get(op.b.id);
  if (cast?.kind !== "op" || cast.op.kind !== "cast") return undefined;
  const { x } = cast.op;
  const source = definitions.get(x.id);
  if (source?.kind !== "op" || source.op.kind !== "load" || x.type.dtype !== "f8e4m3")
    return undefined;
  const { op: load } = source;
  const own = uses.get(x.id) ?? [];
  const made = uses.get(op.b.id) ?? [];
  const isReadOnce = own.length === 1 && made.length === 1 && own[0]?.block === made[0]?.block;
  const holds = own[0]?.block.ops.includes(load) === true;
  const param = kernel.params.find(({ name }) => name === load.tensor);
  const isIn = param?.kind === "tensor" && param.access === "in";
  if (!isReadOnce || !holds || !isIn || packed.has(load.tensor)) return undefined;
  const along = x.type.axes.at(-1)?.name === op.axis ? "contraction" : "columns";
  return { load, cast: op.b.id, along };
}

/** Accumulator and operand a for such an operand b; undefined where the columns of a warp are too few. */
export function byteLayouts(
  { along }: ByteOperand,
  { m, n, k }: DotShape,
  warps: WarpGrid,
): { readonly accumulator: RegisterLayout; readonly registerA: RegisterLayout } | undefined {
  if (along === "contraction")
    return {
      accumulator: mmaAccumulator(m, n, warps),
      registerA: mmaOperandAByFours(m, k, warps),
    };
  if ((n.size / warps.n) % COLUMNS !== 0) return undefined;
  return {
    accumulator: mmaAccumulatorByTwos(m, n, warps),
    registerA: mmaOperandA(m, k, warps),
  };
}
