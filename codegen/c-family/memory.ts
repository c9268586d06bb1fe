/** [codegen/c-family] Accesses of the thread IR to global and shared memory as C statements. */
import { DTYPES, type DType } from "../../dsl/index.ts";
import type { Expr, RegSlice, Stmt } from "../ir/thread.ts";
import { atom, call, type Fragment, infix, ternary } from "../text/fragment.ts";
import { convert } from "./casts.ts";
import type { CContext } from "./context.ts";
import { emitExpr, sharedAddress, slot } from "./expressions.ts";
import { literal } from "./literals.ts";
import { nibbleOf, pack, packConstant, unpack } from "./packing.ts";
import { type AccessBytes, accessBytes, accessType } from "./types.ts";

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { readonly kind: K }>;

/** One access of an instruction: `elements` of them from element `first` of the whole. */
interface Piece {
  readonly first: number;
  readonly bytes: AccessBytes;
  readonly elements: number;
}

/** Cuts an access into pieces; undefined for a single element of less than a byte. */
function pieces(dtype: DType, width: number): readonly Piece[] | undefined {
  const bytes = accessBytes(dtype, width);
  if (bytes === undefined) return undefined;
  const elements = (bytes * 8) / DTYPES[dtype].bits;
  return Array.from({ length: width / elements }, (_, i) => ({
    first: i * elements,
    bytes,
    elements,
  }));
}

/** Names an expression unless it is a name or a constant already, so that it is evaluated once. */
function once(type: string, hint: string, expr: Expr, context: CContext): Fragment {
  const value = emitExpr(expr, context);
  const simple = expr.kind === "const" || expr.kind === "dim" || expr.kind === "special";
  if (simple || (expr.kind === "reg" && expr.index === undefined)) return value;
  const name = context.names.fresh(hint);
  context.writer.line(`const ${type} ${name} = ${value.text};`);
  return atom(name);
}

function plus(base: Fragment, count: number, suffix = ""): Fragment {
  return count === 0 ? base : infix("+", base, atom(`${count}${suffix}`));
}

/** `tensor + offset + first`, the element's pointer; two 4-bit elements share a byte. */
function globalPointer(
  tensor: string,
  dtype: DType,
  offset: Fragment,
  offsetType: string,
  first: number,
): Fragment {
  const index = plus(offset, first);
  if (DTYPES[dtype].bits >= 8) {
    return index.text === "0" ? atom(tensor) : infix("+", atom(tensor), index);
  }
  // Counted from 0, so that a shift halves it.
  const byte = infix(">>", offsetType === "i64" ? index : convert("u32", index), atom("1"));
  return infix("+", atom(tensor), byte);
}

/** The nibble of element `offset` out of its byte. */
function nibble(dtype: DType, byte: Fragment, offset: Fragment): Fragment {
  const parity = infix("&", convert("u32", offset), atom("1u"));
  const shift = infix("*", parity, atom("4u"));
  return call(nibbleOf(dtype), infix(">>", byte, shift));
}

function assignAll(
  to: RegSlice,
  first: number,
  values: readonly Fragment[],
  context: CContext,
): void {
  context.writer.statements(
    values.map((value, i) => `${slot(to, first + i, context).text} = ${value.text};`),
  );
}

/** Writes the elements of one piece from the value `read`. */
function assignPiece(
  to: RegSlice,
  dtype: DType,
  piece: Piece,
  read: Fragment,
  context: CContext,
): void {
  if (piece.elements === 1) {
    assignAll(to, piece.first, unpack(dtype, piece.bytes, read), context);
    return;
  }
  const name = context.names.fresh(`${to.name}_vec`);
  context.writer.line(`const ${accessType(dtype, piece.bytes)} ${name} = ${read.text};`);
  assignAll(to, piece.first, unpack(dtype, piece.bytes, atom(name)), context);
}

function offsetTypeOf(offset: Expr): string {
  return offset.type === "i64" ? "i64" : "i32";
}

export function emitLoadGlobal(stmt: StmtOf<"load_global">, context: CContext): void {
  const { text: tensor, param } = context.tensor(stmt.tensor);
  const { dtype } = param;
  const read = param.access === "in" ? "tw_ldg_nc" : "tw_ldg";
  const parts = pieces(dtype, stmt.width);
  const type = offsetTypeOf(stmt.offset);
  const several = parts === undefined || parts.length > 1;
  const offset = several
    ? once(type, `${stmt.to.name}_at`, stmt.offset, context)
    : emitExpr(stmt.offset, context);
  const mask =
    stmt.mask === undefined
      ? undefined
      : several
        ? once("bool", `${stmt.to.name}_in`, stmt.mask, context)
        : emitExpr(stmt.mask, context);
  const guarded = (value: Fragment, fill: Fragment): Fragment =>
    mask === undefined ? value : ternary(mask, value, fill);
  if (parts === undefined) {
    const byte = call(`${read}<u8>`, globalPointer(tensor, dtype, offset, type, 0));
    const value = guarded(nibble(dtype, byte, offset), literal(stmt.fill, dtype));
    assignAll(stmt.to, 0, [value], context);
    return;
  }
  for (const piece of parts) {
    const at = globalPointer(tensor, dtype, offset, type, piece.first);
    const value = call(`${read}<${accessType(dtype, piece.bytes)}>`, at);
    const fill = packConstant(dtype, piece.bytes, stmt.fill);
    assignPiece(stmt.to, dtype, piece, guarded(value, fill), context);
  }
}

/** Runs `body` under `if (mask)` where there is a mask. */
function masked(mask: Expr | undefined, context: CContext, body: () => void): void {
  if (mask === undefined) {
    body();
    return;
  }
  context.writer.block(`if (${emitExpr(mask, context).text})`, () => context.scoped(body));
}

function elementsOf(from: RegSlice, piece: Piece, context: CContext): readonly Fragment[] {
  return Array.from({ length: piece.elements }, (_, i) => slot(from, piece.first + i, context));
}

export function emitStoreGlobal(stmt: StmtOf<"store_global">, context: CContext): void {
  const { text: tensor, param } = context.tensor(stmt.tensor);
  const { dtype } = param;
  const parts = pieces(dtype, stmt.width);
  const type = offsetTypeOf(stmt.offset);
  if (parts === undefined) {
    masked(stmt.mask, context, () => {
      const offset = once(type, `${stmt.from.name}_at`, stmt.offset, context);
      const high = infix("&", convert("u32", offset), atom("1u"));
      const byte = globalPointer(tensor, dtype, offset, type, 0);
      const value = slot(stmt.from, 0, context);
      context.writer.line(`${call("tw_stg_u4", byte, high, value).text};`);
    });
    return;
  }
  masked(stmt.mask, context, () => {
    const offset =
      parts.length > 1
        ? once(type, `${stmt.from.name}_at`, stmt.offset, context)
        : emitExpr(stmt.offset, context);
    for (const piece of parts) {
      const at = globalPointer(tensor, dtype, offset, type, piece.first);
      const value = pack(dtype, piece.bytes, elementsOf(stmt.from, piece, context));
      const write = call(`tw_stg<${accessType(dtype, piece.bytes)}>`, at, value);
      context.writer.line(`${write.text};`);
    }
  });
}

export function emitLoadShared(stmt: StmtOf<"load_shared">, context: CContext): void {
  const { text: base, shared } = context.buffer(stmt.buffer);
  const { dtype } = shared;
  const { bits } = DTYPES[dtype];
  const parts = pieces(dtype, stmt.width);
  const address = sharedAddress(base, stmt.offset, bits, context);
  if (parts === undefined) {
    const offset = emitExpr(stmt.offset, context);
    assignAll(stmt.to, 0, [nibble(dtype, call("tw_lds<u8>", address), offset)], context);
    return;
  }
  for (const piece of parts) {
    const at = plus(address, (piece.first * bits) / 8, "u");
    const value = call(`tw_lds<${accessType(dtype, piece.bytes)}>`, at);
    assignPiece(stmt.to, dtype, piece, value, context);
  }
}

export function emitStoreShared(stmt: StmtOf<"store_shared">, context: CContext): void {
  const { text: base, shared } = context.buffer(stmt.buffer);
  const { dtype } = shared;
  const { bits } = DTYPES[dtype];
  const parts = pieces(dtype, stmt.width);
  if (parts === undefined)
    throw context.unsupported("shared store of half a byte", dtype, stmt.loc);
  masked(stmt.mask, context, () => {
    const address = sharedAddress(base, stmt.offset, bits, context);
    for (const piece of parts) {
      const at = plus(address, (piece.first * bits) / 8, "u");
      const value = pack(dtype, piece.bytes, elementsOf(stmt.from, piece, context));
      context.writer.line(`${call(`tw_sts<${accessType(dtype, piece.bytes)}>`, at, value).text};`);
    }
  });
}

export function emitCopyAsync(stmt: StmtOf<"copy_async">, context: CContext): void {
  const { text: tensor, param } = context.tensor(stmt.tensor);
  const { bits } = DTYPES[param.dtype];
  const bytes = (stmt.width * bits) / 8;
  if (bytes !== 4 && bytes !== 8 && bytes !== 16) {
    throw context.unsupported(`asynchronous copy of ${bytes} bytes`, param.dtype, stmt.loc);
  }
  const { text: base } = context.buffer(stmt.buffer);
  const to = sharedAddress(base, stmt.to, bits, context);
  const offset = emitExpr(stmt.from, context);
  const from = globalPointer(tensor, param.dtype, offset, offsetTypeOf(stmt.from), 0);
  if (stmt.mask === undefined) {
    context.writer.line(`${call(`tw_cp_async_${bytes}`, to, from).text};`);
    return;
  }
  const count = ternary(emitExpr(stmt.mask, context), atom(`${bytes}u`), atom("0u"));
  context.writer.line(`${call(`tw_cp_async_${bytes}_zfill`, to, from, count).text};`);
}

export function emitAtomicGlobal(stmt: StmtOf<"atomic_global">, context: CContext): void {
  const { text: tensor, param } = context.tensor(stmt.tensor);
  const { dtype } = param;
  const spelling = context.dialect.primitives.atomic[stmt.fn];
  const name = dtype === "f32" || dtype === "i32" || dtype === "u32" ? spelling[dtype] : undefined;
  if (name === undefined) throw context.unsupported(`atomic ${stmt.fn}`, dtype, stmt.loc);
  const at = globalPointer(
    tensor,
    dtype,
    emitExpr(stmt.offset, context),
    offsetTypeOf(stmt.offset),
    0,
  );
  const old = call(name, at, emitExpr(stmt.value, context));
  if (stmt.to === undefined) {
    masked(stmt.mask, context, () => context.writer.line(`${old.text};`));
    return;
  }
  const value =
    stmt.mask === undefined ? old : ternary(emitExpr(stmt.mask, context), old, literal(0, dtype));
  context.writer.line(`${slot(stmt.to, 0, context).text} = ${value.text};`);
}
