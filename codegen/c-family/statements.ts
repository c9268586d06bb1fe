/** [codegen/c-family] Thread IR statements as C text, written line by line. Memory accesses are in memory.ts. */
import { DTYPES } from "../../dsl/index.ts";
import type { Expr, Stmt } from "../ir/thread.ts";
import { atom, call, type Fragment, infix, prefix } from "../text/fragment.ts";
import { castFragment, convert } from "./casts.ts";
import type { CContext } from "./context.ts";
import { emitExpr, pointer, sharedAddress, slot } from "./expressions.ts";
import { emitBarrier, emitCall, emitRoles } from "./instructions.ts";
import {
  emitAtomicGlobal,
  emitCopyAsync,
  emitLoadGlobal,
  emitLoadShared,
  emitStoreGlobal,
  emitStoreShared,
} from "./memory.ts";
import { REGISTER_TYPES } from "./types.ts";

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { readonly kind: K }>;

function emitLet(stmt: StmtOf<"let">, context: CContext): void {
  const { reg, init } = stmt;
  const { writer } = context;
  const type = REGISTER_TYPES[reg.type];
  const value = init === undefined ? undefined : emitExpr(init, context).text;
  const name = context.declareRegister(reg, stmt.mutable);
  if (reg.length === 1) {
    const head = stmt.mutable || value === undefined ? type : `const ${type}`;
    writer.line(value === undefined ? `${head} ${name};` : `${head} ${name} = ${value};`);
    return;
  }
  writer.line(`${type} ${name}[${reg.length}];`);
  if (value === undefined) return;
  const i = context.names.fresh("i");
  writer.line("#pragma unroll");
  writer.line(`for (i32 ${i} = 0; ${i} < ${reg.length}; ++${i}) ${name}[${i}] = ${value};`);
}

/** The bound of a loop is evaluated once: names it where the body could change what it reads. */
function stableBound(bound: Expr, hint: string, context: CContext): Fragment {
  const value = emitExpr(bound, context);
  const isFixed =
    bound.kind === "const" ||
    bound.kind === "dim" ||
    bound.kind === "special" ||
    (bound.kind === "reg" && bound.index === undefined && !context.register(bound.name).mutable);
  if (isFixed) return value;
  const name = context.names.fresh(hint);
  context.writer.line(`const i32 ${name} = ${value.text};`);
  return atom(name);
}

function emitLoop(stmt: StmtOf<"loop">, context: CContext): void {
  const { writer } = context;
  const lo = emitExpr(stmt.lo, context);
  const hi = stableBound(stmt.hi, `${stmt.name}_end`, context);
  const step = stableBound(stmt.step, `${stmt.name}_step`, context);
  context.names.enter();
  const type = stmt.lo.type;
  const i = context.declareRegister({ name: stmt.name, type, length: 1 }, false);
  if (stmt.unroll) writer.line("#pragma unroll");
  const next = step.text === "1" ? `++${i}` : `${i} += ${step.text}`;
  const stop = infix("<", atom(i), hi).text;
  writer.block(`for (${REGISTER_TYPES[type]} ${i} = ${lo.text}; ${stop}; ${next})`, () =>
    emitBody(stmt.body, context),
  );
  context.names.leave();
}

function emitWhile(stmt: StmtOf<"while">, context: CContext): void {
  const { writer } = context;
  if (stmt.head.length === 0) {
    writer.block(`while (${emitExpr(stmt.cond, context).text})`, () =>
      context.scoped(() => emitBody(stmt.body, context)),
    );
    return;
  }
  writer.block("while (true)", () =>
    context.scoped(() => {
      emitBody(stmt.head, context);
      writer.line(`if (${prefix("!", emitExpr(stmt.cond, context)).text}) break;`);
      emitBody(stmt.body, context);
    }),
  );
}

function emitIf(stmt: StmtOf<"if">, context: CContext): void {
  const { writer } = context;
  const cond = emitExpr(stmt.cond, context).text;
  const branch = (body: readonly Stmt[]): void => context.scoped(() => emitBody(body, context));
  if (stmt.then.length === 0 && stmt.else.length > 0) {
    const not = prefix("!", emitExpr(stmt.cond, context)).text;
    writer.block(`if (${not})`, () => branch(stmt.else));
    return;
  }
  const otherwise = { head: "else", body: () => branch(stmt.else) };
  writer.branches([
    { head: `if (${cond})`, body: () => branch(stmt.then) },
    ...(stmt.else.length > 0 ? [otherwise] : []),
  ]);
}

/** Shuffles move 32 bits: narrower values travel zero-extended. */
function emitShuffle(stmt: StmtOf<"shuffle" | "shuffle_xor">, context: CContext): void {
  const type = stmt.value.type;
  const lane = stmt.kind === "shuffle" ? emitExpr(stmt.lane, context) : atom(String(stmt.laneMask));
  const name = stmt.kind === "shuffle" ? "tw_shfl_idx" : "tw_shfl_xor";
  const value = emitExpr(stmt.value, context);
  const to = slot(stmt.to, 0, context).text;
  if (type === "f32" || type === "i32" || type === "u32") {
    context.writer.line(`${to} = ${call(`${name}<${type}>`, value, lane).text};`);
    return;
  }
  if (type === "i64") throw context.unsupported("shuffle of 64 bits", undefined, stmt.loc);
  const carried = type === "bool" ? castFragment(value, "bool", "u32") : convert("u32", value);
  const received = call(`${name}<u32>`, carried, lane);
  const back =
    type === "bool" || DTYPES[type].kind === "int"
      ? castFragment(received, "u32", type)
      : convert(REGISTER_TYPES[type], received);
  context.writer.line(`${to} = ${back.text};`);
}

function emitLdmatrix(stmt: StmtOf<"ldmatrix">, context: CContext): void {
  const { text: base, shared } = context.buffer(stmt.buffer);
  const { bits } = DTYPES[shared.dtype];
  if (!context.dialect.hasMatrix || (bits !== 16 && shared.dtype !== "f8e4m3")) {
    throw context.unsupported("ldmatrix", shared.dtype, stmt.loc);
  }
  const at = sharedAddress(base, stmt.offset, bits, context);
  const name = `tw_ldmatrix_x${stmt.count}${stmt.transpose ? "_trans" : ""}`;
  context.writer.line(`${call(name, pointer(stmt.to, context), at).text};`);
}

function emitMma(stmt: StmtOf<"mma">, context: CContext): void {
  if (!context.dialect.hasMatrix) throw context.unsupported("mma.sync", stmt.dtype, stmt.loc);
  const [acc, a, b] = [stmt.acc, stmt.a, stmt.b].map((slice) => pointer(slice, context));
  const name = `tw_mma_m16n8k16_f32_${stmt.dtype}`;
  context.writer.line(`${name}(${acc?.text}, ${a?.text}, ${b?.text});`);
}

type MemoryStmt = StmtOf<
  | "load_global"
  | "store_global"
  | "atomic_global"
  | "load_shared"
  | "store_shared"
  | "copy_async"
  | "shuffle"
  | "shuffle_xor"
>;

function emitMemoryStmt(stmt: MemoryStmt, context: CContext): void {
  switch (stmt.kind) {
    case "load_global":
      emitLoadGlobal(stmt, context);
      break;
    case "store_global":
      emitStoreGlobal(stmt, context);
      break;
    case "atomic_global":
      emitAtomicGlobal(stmt, context);
      break;
    case "load_shared":
      emitLoadShared(stmt, context);
      break;
    case "store_shared":
      emitStoreShared(stmt, context);
      break;
    case "copy_async":
      emitCopyAsync(stmt, context);
      break;
    case "shuffle":
    case "shuffle_xor":
      emitShuffle(stmt, context);
      break;
    default:
      stmt satisfies never;
  }
}

function emitStmt(stmt: Stmt, context: CContext): void {
  const { writer } = context;
  switch (stmt.kind) {
    case "let":
      emitLet(stmt, context);
      break;
    case "assign":
      writer.line(`${slot(stmt.to, 0, context).text} = ${emitExpr(stmt.value, context).text};`);
      break;
    case "loop":
      emitLoop(stmt, context);
      break;
    case "while":
      emitWhile(stmt, context);
      break;
    case "if":
      emitIf(stmt, context);
      break;
    case "commit_async":
      writer.line("tw_cp_async_commit();");
      break;
    case "wait_async":
      writer.line(`tw_cp_async_wait<${stmt.pending}>();`);
      break;
    case "barrier":
      emitBarrier(stmt, context);
      break;
    case "call":
      emitCall(stmt, context);
      break;
    case "roles":
      emitRoles(stmt, context, (inner) => emitBody(inner, context));
      break;
    case "ldmatrix":
      emitLdmatrix(stmt, context);
      break;
    case "mma":
      emitMma(stmt, context);
      break;
    case "comment":
      writer.line(`// ${stmt.text}`);
      break;
    default:
      emitMemoryStmt(stmt, context);
  }
}

/** Writes statements in order, with a `// file.ts:line` above each group that comes from another line. */
export function emitBody(body: readonly Stmt[], context: CContext): void {
  for (const stmt of body) {
    const mark = context.marks.before(stmt.loc);
    if (mark !== undefined) context.writer.line(`// ${mark}`);
    emitStmt(stmt, context);
  }
}
