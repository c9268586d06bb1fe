/** [codegen/passes/threads] Dots by the matrix instructions of AMD chips: operands in vectors from shared memory or packed from registers, multiplied into the sums of a wave. */
import { type Axis, DTYPES, invariant } from "../../../dsl/index.ts";
import type { DotOperand, SDot, SValue } from "../../ir/scheduled.ts";
import type { CallArg, Expr } from "../../ir/thread.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";
import {
  isTransposed,
  type MatrixForm,
  matrixForm,
  operandWords,
  repeatsOperands,
  sumRegisters,
} from "../../layout/matrix-form.ts";
import { registerCount } from "../../layout/register-layout.ts";
import { accumulatorFor } from "./accumulator.ts";
import type { LoweringContext, Storage } from "./context.ts";
import {
  axisOf,
  contractedAxis,
  type TileRow,
  tileNumber,
  tileRow,
  tileTerms,
  warpTerms,
} from "./dot-tiles.ts";
import { constant, maskBits, mul, shr, special } from "./expr.ts";
import { type Lin, linAdd, linConst, linScale, placeIn, registerAt, ZERO } from "./place.ts";
import {
  makeSharedAddress,
  type RegisterTerm,
  type SharedAddress,
  stridesByPosition,
  type ThreadTerm,
} from "./shared-address.ts";

/** Nodes of an operand that are computed while packing; more are named first. */
const MOST_PACKED = 2;
/** Bytes of the widest access. */
const MOST_BYTES = 16;
const WORD_BITS = 32;

interface Product {
  readonly form: MatrixForm;
  readonly layout: RegisterLayout;
  readonly m: TileRow;
  readonly n: TileRow;
  readonly k: Axis;
}

function productOf(op: SDot): Product {
  const { instruction, result } = op;
  const form = instruction.kind === "matrix" ? matrixForm(instruction.form) : undefined;
  const { layout } = result;
  invariant(form !== undefined && layout !== undefined, () => "a dot without a matrix form");
  return {
    form,
    layout,
    m: tileRow(layout, axisOf(op.a, op.axis), form.side),
    n: tileRow(layout, axisOf(op.b, op.axis), form.side),
    k: contractedAxis(op),
  };
}

/** Fills the words of all tiles of one operand for one step along the contraction. */
type LoadOperand = (step: Lin, into: Storage) => void;

/** Where the lanes of a wave find their elements of an operand in shared memory. */
interface SharedSource {
  readonly buffer: string;
  readonly address: SharedAddress;
  readonly rowStride: number;
  readonly kStride: number;
  readonly bits: number;
}

function sharedSource(
  ctx: LoweringContext,
  operand: Extract<DotOperand, { readonly kind: "shared" }>,
  row: TileRow,
  { form, k, layout }: Product,
): SharedSource {
  const buffer = ctx.buffer(operand.ref.buffer);
  const strideOf = stridesByPosition(buffer, operand.axes);
  const [rowStride, kStride] = [strideOf(row.axis), strideOf(k.name)];
  const { side, wave, run } = form;
  const lane = special("lane");
  const terms: readonly ThreadTerm[] = [
    { digit: maskBits(lane, side - 1), extent: side, weight: rowStride },
    ...(repeatsOperands(form)
      ? []
      : [{ digit: shr(lane, Math.log2(side)), extent: wave / side, weight: run * kStride }]),
    ...warpTerms(ctx, layout, row.axis, rowStride),
  ];
  const address = makeSharedAddress(ctx, operand.ref, terms);
  return { buffer: buffer.name, address, rowStride, kStride, bits: DTYPES[buffer.dtype].bits };
}

function wordsOf(storage: Storage, index: Lin, count: number, ctx: LoweringContext): CallArg {
  return { kind: "registers", slice: ctx.slot(storage, index), count };
}

/** Neighbours along k are neighbours in memory: one access for each 16 bytes. */
function loadVectors(
  ctx: LoweringContext,
  row: TileRow,
  product: Product,
  from: SharedSource,
): LoadOperand {
  const { form, k } = product;
  const words = operandWords(form);
  const perAccess = Math.min(words, (MOST_BYTES * 8) / WORD_BITS);
  const accesses = words / perAccess;
  return (step, into) => {
    ctx.w.nest([accesses, ...row.iters.map((iter) => iter.extent)], ([part = ZERO, ...digits]) => {
      const offset = from.address.offset([
        ...tileTerms(row, digits, from.rowStride),
        { digit: step, extent: k.size / form.k, weight: form.k },
        { digit: part, extent: accesses, weight: (perAccess * WORD_BITS) / from.bits },
      ]);
      const at = linAdd(linScale(tileNumber(row, digits), words), linScale(part, perAccess));
      ctx.w.emit({
        kind: "call",
        fn: "lds_words",
        template: perAccess,
        args: [wordsOf(into, at, perAccess, ctx), bytesAt(from, offset)],
      });
    });
  };
}

function bytesAt({ buffer, bits }: SharedSource, offset: Expr): CallArg {
  return { kind: "address", buffer, bytes: mul(offset, constant(bits / 8)) };
}

/** Neighbours along k lie rows apart: each element of a word has an address of its own. */
function loadElements(
  ctx: LoweringContext,
  row: TileRow,
  product: Product,
  from: SharedSource,
): LoadOperand {
  const { form, k } = product;
  const words = operandWords(form);
  const perWord = WORD_BITS / from.bits;
  const fn = perWord === 2 ? "lds_halves" : "lds_bytes";
  return (step, into) => {
    ctx.w.nest([words, ...row.iters.map((iter) => iter.extent)], ([word = ZERO, ...digits]) => {
      const terms: readonly RegisterTerm[] = [
        ...tileTerms(row, digits, from.rowStride),
        { digit: step, extent: k.size / form.k, weight: form.k * from.kStride },
        { digit: word, extent: words, weight: perWord * from.kStride },
      ];
      const addresses = Array.from({ length: perWord }, (_, e) =>
        bytesAt(
          from,
          from.address.offset([
            ...terms,
            { digit: linConst(e), extent: perWord, weight: from.kStride },
          ]),
        ),
      );
      const at = linAdd(linScale(tileNumber(row, digits), words), word);
      ctx.w.emit({ kind: "call", fn, args: [wordsOf(into, at, 1, ctx), ...addresses] });
    });
  };
}

/** Words from registers that hold the operand as the instruction wants it. */
function packWords(
  ctx: LoweringContext,
  value: SValue,
  row: TileRow,
  { form, k }: Product,
): LoadOperand {
  const { layout } = ctx.value(value);
  invariant(layout !== undefined, () => "an operand of a matrix instruction is a scalar");
  invariant(DTYPES[value.type.dtype].bits === 16, () => `${value.name} is packed by halves`);
  const words = operandWords(form);
  const iters: readonly Iter[] = [
    { axis: k.name, stride: 1, extent: 2 },
    { axis: k.name, stride: 2, extent: words },
    ...row.iters,
    { axis: k.name, stride: form.k, extent: k.size / form.k },
  ];
  return (step, into) => {
    ctx.w.nest([words, ...row.iters.map((iter) => iter.extent)], ([word = ZERO, ...digits]) => {
      const element = (e: number): Expr => {
        const place = { iters, digits: [linConst(e), word, ...digits, step] };
        return ctx.value(value).read(placeIn(place, layout));
      };
      const at = linAdd(linScale(tileNumber(row, digits), words), word);
      const packed = { kind: "pack", type: "u32", lo: element(0), hi: element(1) } as const;
      ctx.w.assign(ctx.slot(into, at), packed);
    });
  };
}

function loadOperand(
  ctx: LoweringContext,
  operand: DotOperand,
  row: TileRow,
  product: Product,
): LoadOperand {
  if (operand.kind === "register") return packWords(ctx, operand.value, row, product);
  const from = sharedSource(ctx, operand, row, product);
  return from.kStride === 1
    ? loadVectors(ctx, row, product, from)
    : loadElements(ctx, row, product, from);
}

export function lowerMatrixDot(ctx: LoweringContext, op: SDot): void {
  const { w } = ctx;
  const product = productOf(op);
  const { form, layout, m, n, k } = product;
  for (const x of [op.a, op.b])
    if (x.kind === "register" && ctx.value(x.value).size > MOST_PACKED) ctx.settle(x.value);
  const acc = accumulatorFor(ctx, op);
  invariant(acc.length === registerCount(layout), () => "accumulator registers");
  const [readA, readB] = [loadOperand(ctx, op.a, m, product), loadOperand(ctx, op.b, n, product)];
  const words = operandWords(form);
  const declare = (name: string, { count }: TileRow): Storage => ({
    name: w.declare(name, "u32", words * count),
    type: "u32",
    length: words * count,
  });
  w.nest([k.size / form.k], ([step = ZERO]) => {
    const [a, b] = [declare("a", m), declare("b", n)];
    readA(step, a);
    readB(step, b);
    const extents = [...n.iters, ...m.iters].map((iter) => iter.extent);
    w.nest(extents, (digits) => {
      const [nDigits, mDigits] = [digits.slice(0, n.iters.length), digits.slice(n.iters.length)];
      const place = { iters: [...n.iters, ...m.iters], digits };
      const sums = wordsOf(acc, registerAt(placeIn(place, layout)), sumRegisters(form), ctx);
      const left = wordsOf(a, linScale(tileNumber(m, mDigits), words), words, ctx);
      const right = wordsOf(b, linScale(tileNumber(n, nDigits), words), words, ctx);
      const operands = isTransposed(form) ? [right, left] : [left, right];
      w.emit({ kind: "call", fn: form.name, args: [sums, ...operands] });
    });
  });
  ctx.setStorage(op.result, acc);
}
