/** [codegen/ir] The text form of the thread IR. parse-thread.ts reads it back exactly. */
import type { BinaryFn, CompareFn, Param, TensorDim } from "../../dsl/index.ts";
import { formatSpan } from "../../dsl/index.ts";
import type { CallArg, Expr, RegSlice, RegType, Stmt, ThreadKernel } from "./thread.ts";

export interface ThreadPrintOptions {
  /** Puts `// file:line:col` above each group of statements of one source line. */
  readonly locations?: boolean;
}

const PLAIN_NAME = /^[A-Za-z_]\w*$/;
/** Names that must be quoted, since these words mean something at the start of a statement or operand. */
const WORDS: ReadonlySet<string> = new Set(
  `true false inf nan let var loop unroll while if load_global store_global atomic_global load_shared store_shared copy_async
  commit_async wait_async barrier shuffle_xor shuffle ldmatrix mma comment shared uniform call roles map`.split(
    /\s+/,
  ),
);

/** Infix spellings with their binding strength; every level is left-associative. */
export const INFIX: Readonly<Partial<Record<BinaryFn | CompareFn, readonly [string, number]>>> = {
  eq: ["==", 1],
  ne: ["!=", 1],
  lt: ["<", 1],
  le: ["<=", 1],
  gt: [">", 1],
  ge: [">=", 1],
  or: ["|", 2],
  xor: ["^", 3],
  and: ["&", 4],
  shl: ["<<", 5],
  shr: [">>", 5],
  add: ["+", 6],
  sub: ["-", 6],
  mul: ["*", 7],
  div: ["/", 7],
};

function formatName(name: string): string {
  return PLAIN_NAME.test(name) && !WORDS.has(name) ? name : JSON.stringify(name);
}

function formatFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** i32 plain, f32 with a point, bool as a word, every other type with a suffix. */
export function formatThreadConst(value: number, type: RegType): string {
  if (type === "bool" && (value === 0 || value === 1)) return value === 0 ? "false" : "true";
  if (type === "i32" && Number.isInteger(value) && !Object.is(value, -0)) return String(value);
  if (type === "f32") return formatFloat(value);
  const text =
    Number.isInteger(value) && !Object.is(value, -0) ? String(value) : formatFloat(value);
  return `${text}:${type}`;
}

function call(name: string, args: readonly Expr[]): string {
  return `${name}(${args.map((a) => formatExpr(a)).join(", ")})`;
}

/** An expression; in parentheses where its outermost operator binds weaker than `strength`. */
export function formatExpr(e: Expr, strength = 0): string {
  switch (e.kind) {
    case "const":
      return formatThreadConst(e.value, e.type);
    case "reg":
      return e.index === undefined
        ? formatName(e.name)
        : `${formatName(e.name)}[${formatExpr(e.index)}]`;
    case "special":
      return `@${e.name}`;
    case "dim":
      return `#${formatName(e.name)}`;
    case "param":
      return `$${formatName(e.name)}`;
    case "unary":
      return call(e.fn, [e.x]);
    case "binary":
    case "compare": {
      const infix = INFIX[e.fn];
      if (infix === undefined) return call(e.fn, [e.a, e.b]);
      const [op, own] = infix;
      const text = `${formatExpr(e.a, own)} ${op} ${formatExpr(e.b, own + 1)}`;
      return own < strength ? `(${text})` : text;
    }
    case "fma":
      return call("fma", [e.a, e.b, e.c]);
    case "select":
      return call("select", [e.cond, e.a, e.b]);
    case "cast":
      return call(e.type, [e.x]);
    case "bitcast":
      return call(`bits_${e.type}`, [e.x]);
    case "pack":
      return call("pack", [e.lo, e.hi]);
    default:
      return e satisfies never;
  }
}

function slice(r: RegSlice): string {
  return r.index === undefined
    ? formatName(r.name)
    : `${formatName(r.name)}[${formatExpr(r.index)}]`;
}

function maskText(mask: Expr | undefined): string {
  return mask === undefined ? "" : ` mask ${formatExpr(mask)}`;
}

function place(name: string, offset: Expr): string {
  return `${formatName(name)}[${formatExpr(offset)}]`;
}

function argText(arg: CallArg): string {
  switch (arg.kind) {
    case "value":
      return formatExpr(arg.value);
    case "address":
      return `&${place(arg.buffer, arg.bytes)}`;
    case "map":
      return `map ${formatName(arg.map)}`;
    case "counter":
      return "counter";
    case "registers":
      return `*${slice(arg.slice)} x${arg.count}`;
    default:
      return arg satisfies never;
  }
}

function callText(s: Extract<Stmt, { readonly kind: "call" }>): string {
  const to = s.to === undefined ? "" : `${slice(s.to)} from `;
  const number = s.template === undefined ? "" : `<${s.template}>`;
  return `call ${to}${s.fn}${number}(${s.args.map(argText).join(", ")})`;
}

type Simple = Exclude<Stmt, { readonly kind: "loop" | "while" | "if" | "roles" }>;

function formatLet(s: Extract<Stmt, { readonly kind: "let" }>): string {
  const length = s.reg.length === 1 ? "" : `[${s.reg.length}]`;
  const init = s.init === undefined ? "" : ` = ${formatExpr(s.init)}`;
  return `${s.mutable ? "var" : "let"} ${formatName(s.reg.name)}: ${s.reg.type}${length}${init}`;
}

function formatSimple(s: Simple): string {
  switch (s.kind) {
    case "let":
      return formatLet(s);
    case "assign":
      return `${slice(s.to)} = ${formatExpr(s.value)}`;
    case "load_global": {
      const fill = ` fill ${formatFloat(s.fill)}`;
      return `load_global ${slice(s.to)} x${s.width} from ${place(s.tensor, s.offset)}${maskText(s.mask)}${fill}`;
    }
    case "store_global":
      return `store_global ${slice(s.from)} x${s.width} to ${place(s.tensor, s.offset)}${maskText(s.mask)}`;
    case "atomic_global": {
      const old = s.to === undefined ? "" : ` ${slice(s.to)} from`;
      return `atomic_global ${s.fn}${old} ${place(s.tensor, s.offset)} by ${formatExpr(s.value)}${maskText(s.mask)}`;
    }
    case "load_shared":
      return `load_shared ${slice(s.to)} x${s.width} from ${place(s.buffer, s.offset)}`;
    case "store_shared":
      return `store_shared ${slice(s.from)} x${s.width} to ${place(s.buffer, s.offset)}${maskText(s.mask)}`;
    case "copy_async":
      return `copy_async x${s.width} ${place(s.tensor, s.from)} to ${place(s.buffer, s.to)}${maskText(s.mask)}`;
    case "commit_async":
      return s.kind;
    case "barrier":
      return s.threads === undefined ? "barrier" : `barrier ${s.threads}`;
    case "call":
      return callText(s);
    case "wait_async":
      return `wait_async ${s.pending}`;
    case "shuffle_xor":
      return `shuffle_xor ${slice(s.to)} = ${formatExpr(s.value)} mask ${s.laneMask}`;
    case "shuffle":
      return `shuffle ${slice(s.to)} = ${formatExpr(s.value)} lane ${formatExpr(s.lane)}`;
    case "ldmatrix": {
      const trans = s.transpose ? " trans" : "";
      return `ldmatrix ${slice(s.to)} x${s.count} from ${place(s.buffer, s.offset)}${trans}`;
    }
    case "mma":
      return `mma ${s.dtype} ${slice(s.acc)} += ${slice(s.a)} * ${slice(s.b)}`;
    case "comment":
      return `comment ${JSON.stringify(s.text)}`;
    default:
      return s satisfies never;
  }
}

function formatLoop(s: Extract<Stmt, { readonly kind: "loop" }>): string {
  const range = `${formatExpr(s.lo)} to ${formatExpr(s.hi)} step ${formatExpr(s.step)}`;
  return `${s.unroll ? "unroll" : "loop"} ${formatName(s.name)} = ${range}`;
}

function stmtLines(s: Stmt, indent: string, options: ThreadPrintOptions): string[] {
  const inner = `${indent}  `;
  switch (s.kind) {
    case "loop":
      return [`${indent}${formatLoop(s)} {`, ...blockLines(s.body, inner, options), `${indent}}`];
    case "while": {
      const head = blockLines(s.head, inner, options);
      const test = `${indent}} test ${formatExpr(s.cond)} {`;
      return [
        `${indent}while {`,
        ...head,
        test,
        ...blockLines(s.body, inner, options),
        `${indent}}`,
      ];
    }
    case "if": {
      const first = `${indent}if ${s.uniform ? "uniform " : ""}${formatExpr(s.cond)} {`;
      const then = blockLines(s.then, inner, options);
      if (s.else.length === 0) return [first, ...then, `${indent}}`];
      return [
        first,
        ...then,
        `${indent}} else {`,
        ...blockLines(s.else, inner, options),
        `${indent}}`,
      ];
    }
    case "roles": {
      const { registers: r } = s;
      const moved = r === undefined ? "" : ` registers(${r.producer}, ${r.consumer})`;
      return [
        `${indent}roles ${s.warps}${moved} producer {`,
        ...blockLines(s.producer, inner, options),
        `${indent}} consumer {`,
        ...blockLines(s.consumer, inner, options),
        `${indent}}`,
      ];
    }
    default:
      return [`${indent}${formatSimple(s)}`];
  }
}

function blockLines(body: readonly Stmt[], indent: string, options: ThreadPrintOptions): string[] {
  let shown = "";
  return body.flatMap((s) => {
    const lines = stmtLines(s, indent, options);
    if (options.locations !== true || s.loc === undefined || s.loc.span.line < 1) return lines;
    const at = formatSpan(s.loc.span);
    if (at === shown) return lines;
    shown = at;
    return [`${indent}// ${at}`, ...lines];
  });
}

/** One statement with its blocks, without a final newline. */
export function printStmt(s: Stmt, options: ThreadPrintOptions = {}): string {
  return stmtLines(s, "", options).join("\n");
}

function formatDim(dim: TensorDim): string {
  if (dim.name === undefined) return String(dim.size);
  return dim.size === undefined ? formatName(dim.name) : `${formatName(dim.name)}=${dim.size}`;
}

function formatParam(param: Param): string {
  if (param.kind === "scalar") return `${formatName(param.name)}: ${param.dtype}`;
  const shape = param.shape.map(formatDim).join(", ");
  const packed = param.packed === true ? " packed" : "";
  return `${formatName(param.name)}: ${param.access}${packed} ${param.dtype}[${shape}]`;
}

/** The whole kernel, ending with a newline. */
export function printThreadKernel(kernel: ThreadKernel, options: ThreadPrintOptions = {}): string {
  const fixed = Object.entries(kernel.fixedDims).map(([k, v]) => `${formatName(k)}=${v}`);
  const clauses = [
    `dims(${kernel.dims.map(formatName).join(", ")})`,
    `fixed(${fixed.join(", ")})`,
    `threads(${kernel.threads})`,
    `warp(${kernel.warpSize})`,
    `bytes(${kernel.sharedBytes})`,
    ...(kernel.persistent ? ["persistent"] : []),
    ...(kernel.counted ? ["counted"] : []),
    ...(kernel.cluster === 1 ? [] : [`cluster(${kernel.cluster})`]),
  ];
  const lines = [
    `thread ${formatName(kernel.name)}(`,
    ...kernel.params.map((param) => `  ${formatParam(param)},`),
    `) ${clauses.join(" ")} {`,
    ...kernel.shared.map(
      (b) => `  shared ${formatName(b.name)}: ${b.dtype}[${b.elements}] at ${b.byteOffset}`,
    ),
    ...kernel.maps.map(
      (m) =>
        `  map ${formatName(m.name)}: ${formatName(m.tensor)} box(${m.box.join(", ")}) swizzle ${m.swizzle}${m.ragged === undefined ? "" : ` ragged ${m.ragged}`}${m.folded === undefined ? "" : ` folded ${m.folded}`}${m.grouped === true ? " grouped" : ""}`,
    ),
    ...blockLines(kernel.body, "  ", options),
    "}",
    "",
  ];
  return lines.join("\n");
}
