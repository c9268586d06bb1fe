/** [codegen/targets/wgsl] Thread IR statements as WGSL text, written line by line. Memory accesses are in memory.ts. */
import type { Expr, Stmt } from "../../ir/thread.ts";
import { atom, call, type Fragment, infix, prefix } from "../../text/fragment.ts";
import { castFragment } from "./casts.ts";
import type { WgslContext } from "./context.ts";
import { emitExpr, slot } from "./expressions.ts";
import {
  emitAtomicGlobal,
  emitCopyAsync,
  emitLoadGlobal,
  emitLoadShared,
  emitStoreGlobal,
  emitStoreShared,
} from "./memory.ts";
import { registerType } from "./types.ts";

type StmtOf<K extends Stmt["kind"]> = Extract<Stmt, { readonly kind: K }>;

function emitLet(stmt: StmtOf<"let">, context: WgslContext): void {
  const { reg, init, mutable } = stmt;
  const { writer } = context;
  const type = registerType(reg.type);
  const value = init === undefined ? undefined : emitExpr(init, context).text;
  if (reg.length > 1 && context.isScattered(reg.name)) {
    const start = value === undefined ? "" : ` = ${value}`;
    const names = context.declareElements(reg);
    writer.statements(names.map((name) => `var ${name}: ${type}${start};`));
    return;
  }
  const name = context.declareRegister(reg);
  if (reg.length === 1) {
    if (value === undefined) writer.line(`var ${name}: ${type};`);
    else if (mutable) writer.line(`var ${name}: ${type} = ${value};`);
    else writer.line(`let ${name}: ${type} = ${value};`);
    return;
  }
  writer.line(`var ${name}: array<${type}, ${reg.length}>;`);
  if (value === undefined) return;
  const i = context.names.fresh("i");
  writer.line(`for (var ${i} = 0; ${i} < ${reg.length}; ${i}++) { ${name}[${i}] = ${value}; }`);
}

/** A value as all threads agree on it, by way of a word of workgroup memory: WGSL's analysis wants it where a barrier depends on it. */
function makeUniform(
  value: Fragment,
  type: "i32" | "bool",
  hint: string,
  context: WgslContext,
): Fragment {
  const { writer } = context;
  const word = context.takeUniformWord();
  const thread = context.threadName();
  writer.line(`if (${thread} == 0) { ${word} = ${call("u32", value).text}; }`);
  const name = context.names.fresh(hint);
  const loaded = call("workgroupUniformLoad", `&${word}`);
  const back = type === "bool" ? infix("!=", loaded, atom("0u")) : call("i32", loaded);
  writer.line(`let ${name} = ${back.text};`);
  return atom(name);
}

/** A bound of a loop, evaluated once, and uniform where the loop needs it. */
function loopBound(
  bound: Expr,
  stmt: StmtOf<"loop">,
  hint: string,
  context: WgslContext,
): Fragment {
  const value = emitExpr(bound, context);
  if (bound.kind === "const") return value;
  if (context.uniformity.hasBarrier(stmt) && !context.uniformity.isUniform(bound)) {
    return makeUniform(value, "i32", hint, context);
  }
  if (bound.kind === "dim" || bound.kind === "special") return value;
  const name = context.names.fresh(hint);
  context.writer.line(`let ${name} = ${value.text};`);
  return atom(name);
}

function emitLoop(stmt: StmtOf<"loop">, context: WgslContext): void {
  const { writer } = context;
  const lo = loopBound(stmt.lo, stmt, `${stmt.name}_start`, context);
  const hi = loopBound(stmt.hi, stmt, `${stmt.name}_end`, context);
  const step = loopBound(stmt.step, stmt, `${stmt.name}_step`, context);
  context.scoped(() => {
    const i = context.declareRegister({ name: stmt.name, type: "i32", length: 1 });
    const next = step.text === "1" ? `${i}++` : `${i} += ${step.text}`;
    const stop = infix("<", atom(i), hi).text;
    writer.block(`for (var ${i}: i32 = ${lo.text}; ${stop}; ${next})`, () =>
      emitBody(stmt.body, context),
    );
  });
}

function condition(cond: Expr, stmt: Stmt, hint: string, context: WgslContext): Fragment {
  const value = emitExpr(cond, context);
  const needsProof = context.uniformity.hasBarrier(stmt) && !context.uniformity.isUniform(cond);
  return needsProof ? makeUniform(value, "bool", hint, context) : value;
}

function emitWhile(stmt: StmtOf<"while">, context: WgslContext): void {
  const { writer } = context;
  writer.block("loop", () =>
    context.scoped(() => {
      emitBody(stmt.head, context);
      const go = condition(stmt.cond, stmt, "go_on", context);
      writer.line(`if (${prefix("!", go).text}) { break; }`);
      emitBody(stmt.body, context);
    }),
  );
}

function emitIf(stmt: StmtOf<"if">, context: WgslContext): void {
  const { writer } = context;
  const cond = condition(stmt.cond, stmt, "agreed", context);
  const branch = (body: readonly Stmt[]): void => context.scoped(() => emitBody(body, context));
  if (stmt.then.length === 0 && stmt.else.length > 0) {
    writer.block(`if (${prefix("!", cond).text})`, () => branch(stmt.else));
    return;
  }
  const otherwise = { head: "else", body: () => branch(stmt.else) };
  writer.branches([
    { head: `if (${cond.text})`, body: () => branch(stmt.then) },
    ...(stmt.else.length > 0 ? [otherwise] : []),
  ]);
}

function emitShuffle(stmt: StmtOf<"shuffle" | "shuffle_xor">, context: WgslContext): void {
  const { type } = stmt.value;
  const held = registerType(type);
  const value = emitExpr(stmt.value, context);
  const carried = held === "bool" ? castFragment(value, "bool", "u32") : value;
  const received =
    stmt.kind === "shuffle"
      ? call("subgroupShuffle", carried, call("u32", emitExpr(stmt.lane, context)))
      : call("subgroupShuffleXor", carried, `${stmt.laneMask}u`);
  const back = held === "bool" ? castFragment(received, "u32", "bool") : received;
  context.writer.line(`${slot(stmt.to, 0, context).text} = ${back.text};`);
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

function emitMemoryStmt(stmt: MemoryStmt, context: WgslContext): void {
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

function emitStmt(stmt: Stmt, context: WgslContext): void {
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
    case "wait_async":
      // Copies are complete where they stand; the barrier that follows a wait is its own statement.
      break;
    case "barrier":
      // One orders workgroup memory, the other the tensors that a block both reads and writes.
      if (context.readsWritten) writer.line("storageBarrier();");
      writer.line("workgroupBarrier();");
      break;
    case "ldmatrix":
    case "mma":
    case "call":
    case "roles":
      throw context.unsupported(stmt);
    case "comment":
      writer.line(`// ${stmt.text}`);
      break;
    default:
      emitMemoryStmt(stmt, context);
  }
}

/** Text of an assignment to an element that is a variable of its own; such ones come in long rows. */
function elementAssignment(stmt: Stmt, context: WgslContext): string | undefined {
  if (stmt.kind !== "assign" || stmt.to.index?.kind !== "const") return undefined;
  return `${slot(stmt.to, 0, context).text} = ${emitExpr(stmt.value, context).text};`;
}

/** Writes statements in order, with a `// file.ts:line` above each group that comes from another line. */
export function emitBody(body: readonly Stmt[], context: WgslContext): void {
  const { writer } = context;
  let row: string[] = [];
  const flush = (): void => {
    writer.statements(row);
    row = [];
  };
  for (const stmt of body) {
    const mark = context.marks.before(stmt.loc);
    const text = elementAssignment(stmt, context);
    if (mark !== undefined || text === undefined) flush();
    if (mark !== undefined) writer.line(`// ${mark}`);
    if (text === undefined) emitStmt(stmt, context);
    else row.push(text);
  }
  flush();
}
