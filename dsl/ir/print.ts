/** [dsl/ir] The text form of the tile IR. parse.ts reads it back exactly; README-level grammar stands in parse.ts. */

import type { DType } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type {
  Block,
  Index,
  LoadHints,
  Op,
  Param,
  RangeHints,
  TensorDim,
  TileKernel,
} from "./nodes.ts";
import { formatExplicit, isExplicitOp } from "./print-explicit.ts";
import { formatType, type Value, type ValueType } from "./types.ts";

export interface PrintOptions {
  /** Ends each op with `// file:line:col`, where the line is known. */
  readonly locations?: boolean;
}

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

/** A name as it stands in the text: plain where it is an identifier, otherwise quoted as in JSON. */
export function formatName(name: string): string {
  return PLAIN_NAME.test(name) ? name : JSON.stringify(name);
}

/** A number so that it reads back exactly: `-0`, `nan`, `inf` and `-inf` included. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (value === Infinity) return "inf";
  if (value === -Infinity) return "-inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

function formatConst(value: number, dtype: DType): string {
  if (dtype !== "bool" || Object.is(value, -0)) return formatNumber(value);
  if (value === 0) return "false";
  return value === 1 ? "true" : formatNumber(value);
}

/** `%sum.12`, or `%12` for a value without a name. */
export function formatValue(value: Value): string {
  return value.name === "" ? `%${value.id}` : `%${formatName(value.name)}.${value.id}`;
}

function typeText(type: ValueType): string {
  if (type.axes.every((axis) => PLAIN_NAME.test(axis.name))) return formatType(type);
  const axes = type.axes.map((axis) => `${formatName(axis.name)}=${axis.size}`);
  return `${type.dtype}[${axes.join(", ")}]`;
}

/** `%sum.12: f32[BM=128]`. */
export function formatDefinition(value: Value): string {
  return `${formatValue(value)}: ${typeText(value.type)}`;
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

function formatIndex(index: Index): string {
  switch (index.kind) {
    case "at":
      return `at ${formatValue(index.value)}`;
    case "span": {
      const end = index.end === undefined ? "" : ` end ${formatValue(index.end)}`;
      const axis = `${formatName(index.axis.name)}=${index.axis.size}`;
      return `span ${axis} from ${formatValue(index.start)}${end}`;
    }
    case "gather":
      return `gather ${formatValue(index.index)}`;
    default:
      return index satisfies never;
  }
}

function formatPlace(tensor: string, at: readonly Index[]): string {
  return `${formatName(tensor)}[${at.map(formatIndex).join(", ")}]`;
}

function maskText(mask: Value | undefined): string {
  return mask === undefined ? "" : ` mask ${formatValue(mask)}`;
}

function loadHints(hints: LoadHints | undefined): string {
  if (hints === undefined) return "";
  const via = hints.via === undefined ? "" : ` via ${hints.via}`;
  const evict = hints.evict === undefined ? "" : ` evict ${hints.evict}`;
  const when = hints.when === undefined ? "" : ` when ${hints.when}`;
  return via + evict + when === "" ? " hints none" : via + evict + when;
}

function rangeHints(hints: RangeHints): string {
  const stages = hints.stages === undefined ? "" : ` stages ${hints.stages}`;
  const unroll = hints.unroll === undefined ? "" : ` unroll ${hints.unroll}`;
  return stages + unroll;
}

function list(values: readonly Value[]): string {
  return values.map(formatValue).join(", ");
}

function names(axes: readonly string[]): string {
  return axes.map(formatName).join(", ");
}

/** `(%x.4: f32 = %zero.1)`: carried values with their initial values. */
function formatCarry(params: readonly Value[], inits: readonly Value[]): string {
  const pairs = inits.map((init, i) => {
    const param = params[i];
    return `${param === undefined ? "?" : formatDefinition(param)} = ${formatValue(init)}`;
  });
  return `(${pairs.join(", ")})`;
}

type SimpleOp = Exclude<Op, { readonly kind: "for" | "while" | "if" | "if_any" | "roles" }>;

const TEXT = { name: formatName, value: formatValue, type: typeText };

/** The part of an op right of `=`. */
function formatSimple(op: SimpleOp): string {
  if (isExplicitOp(op)) return formatExplicit(op, TEXT);
  switch (op.kind) {
    case "const":
      return `const ${formatConst(op.value, op.result.type.dtype)}`;
    case "dim":
      return `dim ${formatName(op.dim)}`;
    case "param":
      return `param ${formatName(op.param)}`;
    case "pid":
    case "num_programs":
      return `${op.kind} ${op.axis}`;
    case "iota":
      return "iota";
    case "unary":
      return `${op.fn} ${formatValue(op.x)}`;
    case "binary":
    case "compare":
      return `${op.fn} ${formatValue(op.a)}, ${formatValue(op.b)}`;
    case "select":
      return `select ${formatValue(op.cond)}, ${formatValue(op.a)}, ${formatValue(op.b)}`;
    case "cast":
    case "bitcast":
    case "broadcast":
    case "rename":
      return `${op.kind} ${formatValue(op.x)}`;
    case "reduce":
      return `reduce ${op.fn} ${formatValue(op.x)} over ${formatName(op.axis)}`;
    case "arg_reduce":
      return `${op.fn} ${formatValue(op.x)} over ${formatName(op.axis)}`;
    case "scan":
      return `scan ${op.fn} ${formatValue(op.x)} over ${formatName(op.axis)}`;
    case "dot": {
      const acc = op.acc === undefined ? "" : ` acc ${formatValue(op.acc)}`;
      return `dot ${formatValue(op.a)}, ${formatValue(op.b)} over ${formatName(op.axis)}${acc}${op.async === true ? " async" : ""}`;
    }
    case "merge":
      return `merge ${formatValue(op.x)} (${names(op.axes)}) into ${formatName(op.into)}`;
    case "split":
      return `split ${formatValue(op.x)} ${formatName(op.axis)} into (${names(op.into)})`;
    case "load": {
      const place = formatPlace(op.tensor, op.at);
      const fill = ` fill ${formatConst(op.fill, op.result.type.dtype)}`;
      return `load ${place}${maskText(op.mask)}${fill}${loadHints(op.hints)}`;
    }
    case "store":
      return `store ${formatPlace(op.tensor, op.at)} = ${formatValue(op.value)}${maskText(op.mask)}`;
    case "atomic":
      return `atomic ${op.fn} ${formatPlace(op.tensor, op.at)} by ${formatValue(op.value)}${maskText(op.mask)}`;
    case "assert":
      return `assert ${formatValue(op.cond)} ${JSON.stringify(op.message)}`;
    case "print":
      return `print ${JSON.stringify(op.label)} ${formatValue(op.x)}`;
    default:
      return op satisfies never;
  }
}

/** What stands between the results of a structured op and its first brace. */
function formatHead(op: Exclude<Op, SimpleOp>): string {
  switch (op.kind) {
    case "for": {
      const [iv, ...carried] = op.body.params;
      const range = `${formatValue(op.lo)} to ${formatValue(op.hi)} step ${formatValue(op.step)}`;
      const carry = op.inits.length === 0 ? "" : ` carry ${formatCarry(carried, op.inits)}`;
      const counter = iv === undefined ? "?" : formatDefinition(iv);
      return `for ${counter} = ${range}${carry}${rangeHints(op.hints)}`;
    }
    case "while":
      return `while ${formatCarry(op.cond.params, op.inits)} max ${op.maxTrips}`;
    case "if":
      return `if ${op.byRows === true ? "by_rows " : ""}${formatValue(op.cond)}`;
    case "if_any":
      return `if_any ${formatValue(op.cond)} along ${formatName(op.axis)} else (${list(op.elseValues)})`;
    case "roles":
      return formatExplicit(op, TEXT);
    default:
      return op satisfies never;
  }
}

function opResults(op: Op): readonly Value[] {
  if ("results" in op) return op.results;
  return "result" in op ? [op.result] : [];
}

/** The first line of an op's text: all of it for a simple op, up to and with `{` for one that owns blocks. */
export function formatOp(op: Op): string {
  const defined = opResults(op).map(formatDefinition).join(", ");
  const left = defined === "" ? "" : `${defined} = `;
  switch (op.kind) {
    case "for":
    case "while":
    case "if":
    case "if_any":
    case "roles":
      return `${left}${formatHead(op)} {`;
    default:
      return `${left}${formatSimple(op)}`;
  }
}

function locationText(loc: Location, options: PrintOptions): string {
  if (options.locations !== true || loc.span.line < 1) return "";
  return `  // ${loc.span.file}:${loc.span.line}:${loc.span.col}`;
}

function blockLines(block: Block, indent: string, options: PrintOptions): string[] {
  const lines = block.ops.flatMap((op) => opLines(op, indent, options));
  if (block.yields.length > 0) lines.push(`${indent}yield ${list(block.yields)}`);
  return lines;
}

function opLines(op: Op, indent: string, options: PrintOptions): string[] {
  const first = `${indent}${formatOp(op)}${locationText(op.loc, options)}`;
  const inner = `${indent}  `;
  switch (op.kind) {
    case "for":
    case "if_any":
      return [first, ...blockLines(op.body, inner, options), `${indent}}`];
    case "while": {
      const cond = blockLines(op.cond, inner, options);
      const params = op.body.params.map(formatDefinition).join(", ");
      const middle = `${indent}} do (${params}) {`;
      return [first, ...cond, middle, ...blockLines(op.body, inner, options), `${indent}}`];
    }
    case "if": {
      const then = blockLines(op.then, inner, options);
      if (op.else.ops.length === 0 && op.else.yields.length === 0)
        return [first, ...then, `${indent}}`];
      const other = blockLines(op.else, inner, options);
      return [first, ...then, `${indent}} else {`, ...other, `${indent}}`];
    }
    case "roles": {
      const [producer, consumer] = [op.producer, op.consumer].map((role) =>
        blockLines(role, inner, options),
      );
      const middle = `${indent}} consumer {`;
      return [first, ...(producer ?? []), middle, ...(consumer ?? []), `${indent}}`];
    }
    default:
      return [first];
  }
}

/** An op with the blocks that it owns, without a final newline. */
export function printOp(op: Op, options: PrintOptions = {}): string {
  return opLines(op, "", options).join("\n");
}

function formatRecord(record: Readonly<Record<string, number | boolean>>): string {
  return Object.entries(record)
    .map(([key, value]) => {
      const text = typeof value === "boolean" ? String(value) : formatNumber(value);
      return `${formatName(key)}=${text}`;
    })
    .join(", ");
}

/** The whole kernel, ending with a newline. */
export function printKernel(kernel: TileKernel, options: PrintOptions = {}): string {
  const params = kernel.params.map((param) => `  ${formatParam(param)},`);
  const clauses: string[] = [];
  if (kernel.dims.length > 0) clauses.push(`dims(${names(kernel.dims)})`);
  const fixed = formatRecord(kernel.fixedDims);
  if (fixed !== "") clauses.push(`fixed(${fixed})`);
  const config = formatRecord(kernel.config);
  if (config !== "") clauses.push(`config(${config})`);
  const open = [")", ...clauses, "{"].join(" ");
  const head =
    params.length === 0
      ? [`kernel ${formatName(kernel.name)}(${open}`]
      : [`kernel ${formatName(kernel.name)}(`, ...params, open];
  return [...head, ...blockLines(kernel.body, "  ", options), "}", ""].join("\n");
}
