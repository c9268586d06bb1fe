/** [codegen/targets/wgsl] Accesses of the thread IR to tensors and shared buffers as WGSL statements. */
import { DTYPES, type DType } from "../../../dsl/index.ts";
import type { Expr, RegSlice, Stmt } from "../../ir/thread.ts";
import { atom, call, type Fragment, infix } from "../../text/fragment.ts";
import {
  elementText,
  type Guard,
  type Offset,
  type Place,
  packWord,
  placeOf,
  storeText,
  unpackElement,
  vectorText,
  wordsOf,
} from "./access.ts";
import type { NamedArray, WgslContext } from "./context.ts";
import { emitExpr, slot } from "./expressions.ts";
import { ATOMIC } from "./primitives.ts";
import { literal } from "./types.ts";

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { readonly kind: K }>;

/** A memory that elements of `dtype` are read from or written to. */
interface Memory {
  readonly named: NamedArray;
  readonly dtype: DType;
  readonly base: number;
}

function tensorMemory(name: string, context: WgslContext): Memory {
  const named = context.tensor(name);
  return { named, dtype: named.dtype, base: 0 };
}

function bufferMemory(name: string, context: WgslContext): Memory {
  const named = context.buffer(name);
  return { named, dtype: named.dtype, base: named.base };
}

/** Splits off a constant summand, and names what is left where it is used `uses` times. */
function offsetOf(expr: Expr, hint: string, uses: number, context: WgslContext): Offset {
  if (expr.kind === "const") return { varying: undefined, constant: expr.value };
  const isSum = expr.kind === "binary" && expr.fn === "add" && expr.b.kind === "const";
  const constant = isSum && expr.b.kind === "const" ? expr.b.value : 0;
  const rest = isSum ? expr.a : expr;
  const value = emitExpr(rest, context);
  const isName =
    rest.kind === "special" || rest.kind === "dim" || (rest.kind === "reg" && !rest.index);
  if (uses <= 1 || isName) {
    return { varying: value, constant };
  }
  const name = context.names.fresh(hint);
  context.writer.line(`let ${name} = ${value.text};`);
  return { varying: atom(name), constant };
}

/** How often the text of an access repeats its offset. */
function offsetUses({ named, dtype }: Memory, width: number): number {
  const words = (width * DTYPES[dtype].bits) / 32;
  return words < 1 ? 2 : words / named.array.unit;
}

function readLess(
  memory: Memory,
  place: Place,
  shift: Fragment,
  hint: string,
  guard: Guard | undefined,
  context: WgslContext,
): Fragment {
  const word = elementText(memory.named, memory.dtype, place.index, 0, guard);
  const name = context.names.fresh(hint);
  const value = shift.text === "0u" ? word : infix(">>", word, shift);
  context.writer.line(`let ${name} = ${value.text};`);
  return atom(name);
}

/** Reads `width` elements into `to`. */
function emitRead(
  memory: Memory,
  to: RegSlice,
  offset: Offset,
  width: number,
  guard: Guard | undefined,
  context: WgslContext,
): void {
  const { named, dtype, base } = memory;
  const { writer } = context;
  const place = placeOf(named, dtype, offset, base, width);
  const element = (word: Fragment, i: number, nth: number): string => {
    const value = unpackElement(named, dtype, word, i);
    return `${slot(to, nth, context).text} = ${value.text};`;
  };
  const hint = `${to.name}_word`;
  if (place.shift !== undefined) {
    const word = readLess(memory, place, place.shift, hint, guard, context);
    writer.statements(Array.from({ length: width }, (_, i) => element(word, i, i)));
    return;
  }
  const perWord = 32 / DTYPES[dtype].bits;
  const elements = perWord * named.array.unit;
  for (let first = 0; first < width; first += elements) {
    const read = elementText(named, dtype, place.index, first / elements, guard);
    if (elements === 1) {
      writer.line(element(read, 0, first));
      continue;
    }
    const name = context.names.fresh(hint);
    writer.line(`let ${name} = ${read.text};`);
    const words = wordsOf(named, atom(name));
    const all = words.flatMap((word, w) =>
      Array.from({ length: perWord }, (_, i) => element(word, i, first + w * perWord + i)),
    );
    writer.statements(all);
  }
}

/** Writes less than a word: the other bits of the word belong to other threads. */
function emitWriteLess(
  memory: Memory,
  place: Place,
  shift: Fragment,
  elements: readonly Fragment[],
  context: WgslContext,
): void {
  const { named, dtype } = memory;
  const mask = 2 ** (elements.length * DTYPES[dtype].bits) - 1;
  const element = `&${named.text}[${place.index.text}]`;
  const move = (x: Fragment): Fragment => (shift.text === "0u" ? x : infix("<<", x, shift));
  const bits = move(packWord(named, dtype, elements));
  const hole = move(atom(`0x${mask.toString(16)}u`));
  context.writer.line(`atomicAnd(${element}, ~(${hole.text}));`);
  context.writer.line(`atomicOr(${element}, ${bits.text});`);
}

/** Writes `width` elements from `from`. */
function emitWrite(
  memory: Memory,
  from: RegSlice,
  offset: Offset,
  width: number,
  context: WgslContext,
): void {
  const { named, dtype, base } = memory;
  const { writer } = context;
  const place = placeOf(named, dtype, offset, base, width);
  const elements = Array.from({ length: width }, (_, i) => slot(from, i, context));
  if (place.shift !== undefined) {
    const shift = shiftName(place.shift, context);
    emitWriteLess(memory, place, shift, elements, context);
    return;
  }
  const perWord = 32 / DTYPES[dtype].bits;
  const perElement = perWord * named.array.unit;
  for (let first = 0; first < width; first += perElement) {
    const words = Array.from({ length: named.array.unit }, (_, w) => {
      const at = first + w * perWord;
      return packWord(named, dtype, elements.slice(at, at + perWord));
    });
    const value = vectorText(named, words);
    writer.line(storeText(named, place.index, first / perElement, value));
  }
}

function shiftName(shift: Fragment, context: WgslContext): Fragment {
  if (/^\d+u$/.test(shift.text)) return shift;
  const name = context.names.fresh("shift");
  context.writer.line(`let ${name} = ${shift.text};`);
  return atom(name);
}

/** Runs `body` under `if (mask)` where there is a mask, with `otherwise` in the other branch. */
function masked(
  mask: Expr | undefined,
  context: WgslContext,
  body: () => void,
  otherwise?: () => void,
): void {
  if (mask === undefined) {
    body();
    return;
  }
  const branches = [
    { head: `if (${emitExpr(mask, context).text})`, body: () => context.scoped(body) },
  ];
  if (otherwise !== undefined) {
    branches.push({ head: "else", body: () => context.scoped(otherwise) });
  }
  context.writer.branches(branches);
}

/** The mask of a load by name, for its text repeats it. */
function guardOf(stmt: StmtOf<"load_global">, context: WgslContext): Guard | undefined {
  const { mask, fill, to } = stmt;
  if (mask === undefined) return undefined;
  const text = emitExpr(mask, context);
  if (mask.kind === "reg" && mask.index === undefined) return { mask: text, fill };
  const name = context.names.fresh(`${to.name}_in`);
  context.writer.line(`let ${name} = ${text.text};`);
  return { mask: atom(name), fill };
}

export function emitLoadGlobal(stmt: StmtOf<"load_global">, context: WgslContext): void {
  const memory = tensorMemory(stmt.tensor, context);
  const uses = offsetUses(memory, stmt.width);
  const guard = guardOf(stmt, context);
  const offset = offsetOf(stmt.offset, `${stmt.to.name}_at`, uses, context);
  emitRead(memory, stmt.to, offset, stmt.width, guard, context);
}

export function emitStoreGlobal(stmt: StmtOf<"store_global">, context: WgslContext): void {
  const memory = tensorMemory(stmt.tensor, context);
  masked(stmt.mask, context, () => {
    const uses = offsetUses(memory, stmt.width);
    const offset = offsetOf(stmt.offset, `${stmt.from.name}_at`, uses, context);
    emitWrite(memory, stmt.from, offset, stmt.width, context);
  });
}

export function emitLoadShared(stmt: StmtOf<"load_shared">, context: WgslContext): void {
  const memory = bufferMemory(stmt.buffer, context);
  const uses = offsetUses(memory, stmt.width);
  const offset = offsetOf(stmt.offset, `${stmt.to.name}_at`, uses, context);
  emitRead(memory, stmt.to, offset, stmt.width, undefined, context);
}

export function emitStoreShared(stmt: StmtOf<"store_shared">, context: WgslContext): void {
  const memory = bufferMemory(stmt.buffer, context);
  masked(stmt.mask, context, () => {
    const uses = offsetUses(memory, stmt.width);
    const offset = offsetOf(stmt.offset, `${stmt.from.name}_at`, uses, context);
    emitWrite(memory, stmt.from, offset, stmt.width, context);
  });
}

/** WGSL has no copies that finish later: the copy is made at once, word by word. Both memories hold the same dtype. */
export function emitCopyAsync(stmt: StmtOf<"copy_async">, context: WgslContext): void {
  const from = tensorMemory(stmt.tensor, context);
  const to = bufferMemory(stmt.buffer, context);
  const { writer } = context;
  const words = (stmt.width * DTYPES[from.dtype].bits) / 32;
  const target = placeOf(
    to.named,
    to.dtype,
    offsetOf(stmt.to, `${stmt.buffer}_at`, 2, context),
    to.base,
    stmt.width,
  );
  const { array } = to.named;
  const store = (nth: number, parts: readonly Fragment[]): void => {
    const value = vectorText(to.named, parts);
    writer.line(storeText(to.named, target.index, nth, value));
  };
  const zero = literal(0, array.scalar);
  masked(
    stmt.mask,
    context,
    () => {
      const uses = offsetUses(from, stmt.width);
      const offset = offsetOf(stmt.from, `${stmt.tensor}_at`, uses, context);
      const source = placeOf(from.named, from.dtype, offset, from.base, stmt.width);
      const parts: Fragment[] = [];
      for (let nth = 0; nth * from.named.array.unit < words; nth++) {
        const name = context.names.fresh(`${stmt.tensor}_word`);
        writer.line(
          `let ${name} = ${elementText(from.named, from.dtype, source.index, nth, undefined).text};`,
        );
        for (const word of wordsOf(from.named, atom(name))) {
          const same = from.named.array.scalar === array.scalar;
          parts.push(same ? word : call(`bitcast<${array.scalar}>`, word));
        }
      }
      for (let i = 0; i < words; i += array.unit) {
        store(i / array.unit, parts.slice(i, i + array.unit));
      }
    },
    () => {
      for (let i = 0; i < words; i += array.unit) {
        store(
          i / array.unit,
          Array.from({ length: array.unit }, () => zero),
        );
      }
    },
  );
}

/** Floats have no atomics: the new bits are offered until no other thread came between. */
function emitFloatAtomic(
  stmt: StmtOf<"atomic_global"> & { readonly fn: keyof typeof ATOMIC },
  element: string,
  value: Fragment,
  context: WgslContext,
): void {
  const { writer, names } = context;
  const old = names.fresh("old");
  const next = names.fresh("next");
  const result = names.fresh("exchange");
  writer.line(`var ${old} = atomicLoad(&${element});`);
  writer.block("loop", () => {
    const changed = ATOMIC[stmt.fn].float(atom(`bitcast<f32>(${old})`), value);
    writer.line(`let ${next} = bitcast<u32>(${changed.text});`);
    writer.line(`let ${result} = atomicCompareExchangeWeak(&${element}, ${old}, ${next});`);
    writer.line(`if (${result}.exchanged) { break; }`);
    writer.line(`${old} = ${result}.old_value;`);
  });
  if (stmt.to !== undefined) {
    writer.line(`${slot(stmt.to, 0, context).text} = bitcast<f32>(${old});`);
  }
}

export function emitAtomicGlobal(stmt: StmtOf<"atomic_global">, context: WgslContext): void {
  const { named, dtype } = tensorMemory(stmt.tensor, context);
  const { to, fn } = stmt;
  if (DTYPES[dtype].bits !== 32 || fn === "arrive") throw context.unsupported(stmt, dtype);
  masked(
    stmt.mask,
    context,
    () => {
      const offset = offsetOf(stmt.offset, `${stmt.tensor}_at`, 1, context);
      const { index } = placeOf(named, dtype, offset, 0, 1);
      const element = `${named.text}[${index.text}]`;
      const value = emitExpr(stmt.value, context);
      if (dtype === "f32") {
        emitFloatAtomic({ ...stmt, fn }, element, value, context);
        return;
      }
      const old = `${ATOMIC[fn].integer}(&${element}, ${value.text})`;
      context.writer.line(to === undefined ? `${old};` : `${slot(to, 0, context).text} = ${old};`);
    },
    to === undefined
      ? undefined
      : () => context.writer.line(`${slot(to, 0, context).text} = ${literal(0, dtype).text};`),
  );
}
