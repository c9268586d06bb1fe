/** [codegen/passes] Gives registers the shortest free name of their family, in order of appearance: `x`, `x_1`, `x_2`. Runs last on thread IR. */
import type { Expr, RegSlice, Stmt, ThreadKernel } from "../ir/thread.ts";
import { mapExpr, mapStmt, walkStmts } from "../ir/visit-thread.ts";

/** `x` of `x_12`. */
function familyOf(name: string): string {
  return /^(.+?)_\d+$/.exec(name)?.[1] ?? name;
}

/** New names of all registers; counters keep theirs, since loops beside one another share them. */
function chooseNames(kernel: ThreadKernel): ReadonlyMap<string, string> {
  const taken = new Set([
    kernel.name,
    ...kernel.params.map((p) => p.name),
    ...kernel.dims,
    ...kernel.shared.map((b) => b.name),
  ]);
  walkStmts(kernel.body, (s) => {
    if (s.kind === "loop") taken.add(s.name);
  });
  const names = new Map<string, string>();
  walkStmts(kernel.body, (s) => {
    if (s.kind !== "let") return;
    const family = familyOf(s.reg.name);
    let name = family;
    for (let n = 1; taken.has(name); n++) name = `${family}_${n}`;
    taken.add(name);
    names.set(s.reg.name, name);
  });
  return names;
}

/** Slices that a statement names besides its expressions. */
function renameSlices(s: Stmt, slice: (r: RegSlice) => RegSlice): Stmt {
  switch (s.kind) {
    case "assign":
    case "load_global":
    case "load_shared":
    case "shuffle":
    case "shuffle_xor":
    case "ldmatrix": {
      const to = slice(s.to);
      return to === s.to ? s : { ...s, to };
    }
    case "atomic_global":
      return s.to === undefined ? s : { ...s, to: slice(s.to) };
    case "store_global":
    case "store_shared": {
      const from = slice(s.from);
      return from === s.from ? s : { ...s, from };
    }
    case "mma":
      return { ...s, acc: slice(s.acc), a: slice(s.a), b: slice(s.b) };
    case "call": {
      const args = s.args.map((arg) =>
        arg.kind === "registers" ? { ...arg, slice: slice(arg.slice) } : arg,
      );
      return { ...s, args, ...(s.to === undefined ? {} : { to: slice(s.to) }) };
    }
    default:
      return s;
  }
}

export function renameRegisters(kernel: ThreadKernel): ThreadKernel {
  const names = chooseNames(kernel);
  const nameOf = (name: string): string => names.get(name) ?? name;
  const renamed = (x: Expr): Expr => {
    if (x.kind !== "reg") return x;
    const name = nameOf(x.name);
    return name === x.name ? x : { ...x, name };
  };
  const expr = (e: Expr): Expr => mapExpr(e, renamed);
  const slice = (r: RegSlice): RegSlice => {
    const name = nameOf(r.name);
    return name === r.name ? r : { ...r, name };
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((s) => {
      const mapped = renameSlices(mapStmt(s, expr, block), slice);
      if (mapped.kind !== "let") return mapped;
      const name = nameOf(mapped.reg.name);
      return name === mapped.reg.name ? mapped : { ...mapped, reg: { ...mapped.reg, name } };
    });
  return { ...kernel, body: block(kernel.body) };
}
