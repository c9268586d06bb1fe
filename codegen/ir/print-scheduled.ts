/**
 * [codegen/ir] The text form of the scheduled IR; parse-scheduled.ts reads it back exactly but for columns of locations.
 *
 * Layouts are named once (`L0 = reg(4:N=1) lane(8:N=4, 4:?) warp(2:M=1)`: extent:axis=stride, `?` replicates) and stand
 * behind the type of a value: `%x.3: f32[M=2, N=32] L0`.
 */
import {
  type Axis,
  type DType,
  formatName,
  formatNumber,
  formatType,
  type Location,
  type Param,
} from "../../dsl/index.ts";
import type { Iter, RegisterLayout } from "../layout/layout.ts";
import { formatOrder } from "../layout/packed-order.ts";
import { layoutKey } from "../layout/register-layout.ts";
import { roleOpText, rolesText } from "./print-roles.ts";
import type {
  DotInstruction,
  DotOperand,
  SBlock,
  ScheduledKernel,
  SharedBuffer,
  SharedRef,
  SIndex,
  SOp,
  SValue,
} from "./scheduled.ts";
import { scheduledRegions, scheduledResults } from "./visit-scheduled.ts";

export interface ScheduledPrintOptions {
  /** Ends each op with `// file:line:col`, where the line is known. */
  readonly locations?: boolean;
}

/** Names layouts in order of first appearance. */
class LayoutNames {
  readonly #names = new Map<string, string>();
  readonly layouts: RegisterLayout[] = [];

  nameOf(layout: RegisterLayout): string {
    const key = layoutKey(layout);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = `L${this.layouts.length}`;
    this.#names.set(key, name);
    this.layouts.push(layout);
    return name;
  }
}

function formatIters(iters: readonly Iter[]): string {
  return iters
    .map((iter) =>
      iter.axis === null
        ? `${iter.extent}:?`
        : `${iter.extent}:${formatName(iter.axis)}=${iter.stride}`,
    )
    .join(", ");
}

/** `reg(…) lane(…) warp(…)`, in the layout's own order of iters. */
export function formatRegisterLayout(layout: RegisterLayout): string {
  return `reg(${formatIters(layout.reg)}) lane(${formatIters(layout.lane)}) warp(${formatIters(layout.warp)})`;
}

function use(value: SValue): string {
  return value.name === "" ? `%${value.id}` : `%${formatName(value.name)}.${value.id}`;
}

function list(values: readonly SValue[]): string {
  return values.map(use).join(", ");
}

function axesText(axes: readonly Axis[]): string {
  return axes.map((axis) => `${formatName(axis.name)}=${axis.size}`).join(", ");
}

function typeText(dtype: DType, axes: readonly Axis[]): string {
  return axes.length === 0 ? formatType({ dtype, axes }) : `${dtype}[${axesText(axes)}]`;
}

function formatIndex(index: SIndex): string {
  switch (index.kind) {
    case "at":
      return `at ${use(index.value)}`;
    case "span": {
      const end = index.end === undefined ? "" : ` end ${use(index.end)}`;
      return `span ${formatName(index.axis.name)}=${index.axis.size} from ${use(index.start)}${end}`;
    }
    case "gather":
      return `gather ${use(index.index)}`;
    case "pages": {
      const limit = index.limit === undefined ? "" : ` limit ${use(index.limit)}`;
      return `pages ${axesText([index.axis])} (${index.entries.map(use).join(", ")})${limit}`;
    }
    default:
      return index satisfies never;
  }
}

function place(tensor: string, at: readonly SIndex[]): string {
  return `${formatName(tensor)}[${at.map(formatIndex).join(", ")}]`;
}

function refText(ref: SharedRef): string {
  return ref.slot === undefined
    ? formatName(ref.buffer)
    : `${formatName(ref.buffer)}[${use(ref.slot)}]`;
}

function maskText(mask: SValue | undefined): string {
  return mask === undefined ? "" : ` mask ${use(mask)}`;
}

function scratchText(scratch: string | undefined): string {
  return scratch === undefined ? "" : ` scratch ${formatName(scratch)}`;
}

function dotOperandText(operand: DotOperand): string {
  if (operand.kind === "register") {
    const { pairs, value } = operand;
    return pairs === undefined
      ? use(value)
      : `pairs ${use(value)} ${typeText(pairs.dtype, pairs.axes)}`;
  }
  return `shared ${refText(operand.ref)} ${typeText(operand.dtype, operand.axes)}`;
}

function instructionText(instruction: DotInstruction): string {
  switch (instruction.kind) {
    case "fma":
      return "fma";
    case "mma.sync":
      return "mma_sync";
    case "matrix":
      return instruction.form;
    case "wgmma":
      return `wgmma ${instruction.k}${instruction.fresh === true ? " fresh" : ""}`;
    default:
      return instruction satisfies never;
  }
}

function hintsText(op: Extract<SOp, { kind: "load" }>): string {
  if (op.hints === undefined) return "";
  const via = op.hints.via === undefined ? "" : ` via ${op.hints.via}`;
  const evict = op.hints.evict === undefined ? "" : ` evict ${op.hints.evict}`;
  const when = op.hints.when === undefined ? "" : ` when ${op.hints.when}`;
  return via + evict + when === "" ? " hints none" : via + evict + when;
}

class Printer {
  readonly layouts = new LayoutNames();
  readonly #options: ScheduledPrintOptions;

  constructor(options: ScheduledPrintOptions) {
    this.#options = options;
  }

  define(value: SValue): string {
    const layout = value.layout === undefined ? "" : ` ${this.layouts.nameOf(value.layout)}`;
    return `${use(value)}: ${typeText(value.type.dtype, value.type.axes)}${layout}`;
  }

  #carry(params: readonly SValue[], inits: readonly SValue[]): string {
    const pairs = inits.map((init, i) => {
      const param = params[i];
      return `${param === undefined ? "?" : this.define(param)} = ${use(init)}`;
    });
    return `(${pairs.join(", ")})`;
  }

  /** Text right of `=` for ops that compute from values. */
  #value(op: SOp): string | undefined {
    switch (op.kind) {
      case "const":
        return `const ${formatNumber(op.value)}`;
      case "dim":
        return `dim ${formatName(op.dim)}`;
      case "param":
        return `param ${formatName(op.param)}`;
      case "pid":
      case "num_programs":
      case "grid_size":
        return `${op.kind} ${op.axis}`;
      case "iota":
      case "cluster_rank":
        return op.kind;
      case "unary":
        return `${op.fn} ${use(op.x)}`;
      case "binary":
      case "compare":
        return `${op.fn} ${use(op.a)}, ${use(op.b)}`;
      case "select":
        return `select ${use(op.cond)}, ${use(op.a)}, ${use(op.b)}`;
      case "cast":
      case "bitcast":
      case "broadcast":
      case "relabel":
      case "vote":
        return `${op.kind} ${use(op.x)}`;
      case "pack_pairs":
      case "trade_quads":
      case "pack_quads":
        return `${op.kind} ${use(op.x)} over ${formatName(op.axis)}`;
      case "reduce":
      case "scan":
        return `${op.kind} ${op.fn} ${use(op.x)} over ${formatName(op.axis)}${scratchText(op.scratch)}`;
      case "arg_reduce":
        return `${op.fn} ${use(op.x)} over ${formatName(op.axis)}${scratchText(op.scratch)}`;
      case "convert":
        return `convert ${use(op.x)} via ${op.via}${scratchText(op.scratch)}`;
      default:
        return undefined;
    }
  }

  /** Text right of `=`, or the whole text, of ops that touch memory. */
  #memory(op: SOp): string {
    switch (op.kind) {
      case "load": {
        const where = `${place(op.tensor, op.at)}${maskText(op.mask)}`;
        const packed = op.packed === undefined ? "" : ` packed ${op.packed}`;
        const fill = formatNumber(op.fill);
        return `load ${where} fill ${fill} width ${op.width}${packed}${hintsText(op)}`;
      }
      case "store": {
        const where = place(op.tensor, op.at);
        const panels = op.panels === undefined ? "" : ` panels ${formatName(op.panels)}`;
        const pairs = op.pairs === true ? " pairs" : "";
        const held = op.held === undefined ? "" : ` held ${op.held.first} ${op.held.count}`;
        return `store ${where} = ${use(op.value)}${maskText(op.mask)} width ${op.width}${panels}${held}${pairs}`;
      }
      case "atomic": {
        const where = place(op.tensor, op.at);
        return `atomic ${op.fn} ${where} by ${use(op.value)}${maskText(op.mask)}${scratchText(op.scratch)}`;
      }
      case "copy": {
        const from = `${place(op.tensor, op.at)}${maskText(op.mask)} fill ${formatNumber(op.fill)}`;
        const layout = this.layouts.nameOf(op.layout);
        const halves =
          op.halves === undefined ? "" : ` halves ${list([op.halves.rank, op.halves.same])}`;
        const signal = op.signal === undefined ? "" : ` signal ${refText(op.signal)}`;
        return `copy ${refText(op.into)} = ${from} layout ${layout} width ${op.width} via ${op.via}${signal}${op.once === true ? " once" : ""}${halves}`;
      }
      case "shared_load":
        return `shared_load ${refText(op.from)} width ${op.width}`;
      case "shared_store":
        return `shared_store ${refText(op.into)} = ${use(op.value)} width ${op.width}`;
      case "dot": {
        const operands = `${dotOperandText(op.a)}, ${dotOperandText(op.b)}`;
        const by = instructionText(op.instruction);
        return `dot ${operands} over ${formatName(op.axis)} acc ${use(op.acc)} by ${by}`;
      }
      case "wait":
        return `wait ${op.pending}`;
      default:
        return roleOpText(op, { use, list, ref: refText }) ?? op.kind;
    }
  }

  #head(op: SOp): string {
    switch (op.kind) {
      case "for": {
        const [iv, ...carried] = op.body.params;
        const counter = iv === undefined ? "?" : this.define(iv);
        const carry = op.inits.length === 0 ? "" : ` carry ${this.#carry(carried, op.inits)}`;
        const unroll = op.unroll === undefined ? "" : ` unroll ${op.unroll}`;
        const stages = op.stages === undefined ? "" : ` stages ${op.stages}`;
        return `for ${counter} = ${use(op.lo)} to ${use(op.hi)} step ${use(op.step)}${carry}${unroll}${stages} {`;
      }
      case "while":
        return `while ${this.#carry(op.cond.params, op.inits)} {`;
      case "if":
        return `if ${op.byRows === true ? "by_rows " : ""}${op.warp === true ? "warp " : ""}${use(op.cond)} {`;
      case "roles":
        return rolesText(op);
      default:
        return this.#value(op) ?? this.#memory(op);
    }
  }

  block(block: SBlock, indent: string): string[] {
    const lines = block.ops.flatMap((op) => this.op(op, indent));
    if (block.yields.length > 0) lines.push(`${indent}yield ${list(block.yields)}`);
    return lines;
  }

  op(op: SOp, indent: string): string[] {
    const results = scheduledResults(op);
    const left = results.length === 0 ? "" : `${results.map((v) => this.define(v)).join(", ")} = `;
    const first = `${indent}${left}${this.#head(op)}${this.#location(op.loc)}`;
    const regions = scheduledRegions(op);
    if (regions.length === 0) return [first];
    const inner = `${indent}  `;
    const [a, b] = regions;
    const lines = [first, ...(a === undefined ? [] : this.block(a, inner))];
    if (op.kind === "while" && b !== undefined) {
      lines.push(`${indent}} do (${b.params.map((v) => this.define(v)).join(", ")}) {`);
      lines.push(...this.block(b, inner));
    } else if (op.kind === "roles" && b !== undefined) {
      lines.push(`${indent}} consumer {`, ...this.block(b, inner));
    } else if (b !== undefined && b.ops.length + b.yields.length > 0) {
      lines.push(`${indent}} else {`, ...this.block(b, inner));
    }
    return [...lines, `${indent}}`];
  }

  #location(loc: Location): string {
    if (this.#options.locations !== true || loc.span.line < 1) return "";
    return `  // ${loc.span.file}:${loc.span.line}:${loc.span.col}`;
  }
}

function formatParam(param: Param): string {
  if (param.kind === "scalar") return `${formatName(param.name)}: ${param.dtype}`;
  const dims = param.shape.map((dim) => {
    if (dim.name === undefined) return String(dim.size);
    return dim.size === undefined ? formatName(dim.name) : `${formatName(dim.name)}=${dim.size}`;
  });
  const packed = param.packed === true ? " packed" : "";
  return `${formatName(param.name)}: ${param.access}${packed} ${param.dtype}[${dims.join(", ")}]`;
}

function formatBuffer(buffer: SharedBuffer): string {
  const { layout } = buffer;
  const swizzle =
    layout.swizzle === undefined
      ? ""
      : ` swizzle(${layout.swizzle.bits}, ${layout.swizzle.base}, ${layout.swizzle.shift})`;
  const alias = buffer.aliasOf === undefined ? "" : ` alias ${formatName(buffer.aliasOf)}`;
  const at = `${buffer.byteOffset === undefined ? "" : ` at ${buffer.byteOffset}`}${alias}`;
  const type = typeText(buffer.dtype, buffer.axes);
  const strides = `strides(${layout.strides.join(", ")})${swizzle} stage ${layout.stageElements}`;
  return `${formatName(buffer.name)}: ${type} stages ${buffer.stages} ${strides}${at}`;
}

function record(word: string, entries: Readonly<Record<string, number | boolean>>): string[] {
  const pairs = Object.entries(entries).map(
    ([key, value]) =>
      `${formatName(key)}=${typeof value === "boolean" ? value : formatNumber(value)}`,
  );
  return pairs.length === 0 ? [] : [`${word}(${pairs.join(", ")})`];
}

function ordersText({ orders = {} }: ScheduledKernel): readonly string[] {
  const entries = Object.entries(orders);
  if (entries.length === 0) return [];
  const lines = entries.map(([name, order]) => `  ${formatName(name)} = ${formatOrder(order)}`);
  return ["orders {", ...lines, "}"];
}

/** The layouts of a kernel's values by the names that its text gives them. */
export function namedLayouts(kernel: ScheduledKernel): ReadonlyMap<string, RegisterLayout> {
  const printer = new Printer({});
  printer.block(kernel.body, "");
  return new Map(printer.layouts.layouts.map((layout, i) => [`L${i}`, layout]));
}

/** The whole kernel, ending with a newline. Remarks are not part of the text. */
export function printScheduled(
  kernel: ScheduledKernel,
  options: ScheduledPrintOptions = {},
): string {
  const printer = new Printer(options);
  const body = printer.block(kernel.body, "  ");
  const clauses = [
    ...(kernel.dims.length === 0 ? [] : [`dims(${kernel.dims.map(formatName).join(", ")})`]),
    ...record("fixed", kernel.fixedDims),
    ...record("config", kernel.config),
    ...record("divisibility", kernel.divisibility),
    `warps(${kernel.numWarps}, ${kernel.warpSize})`,
    ...(kernel.cluster === undefined ? [] : [`cluster(${kernel.cluster})`]),
  ];
  return [
    `scheduled ${formatName(kernel.name)}(`,
    ...kernel.params.map((param) => `  ${formatParam(param)},`),
    `) ${clauses.join(" ")}`,
    ...ordersText(kernel),
    "layouts {",
    ...printer.layouts.layouts.map((layout, i) => `  L${i} = ${formatRegisterLayout(layout)}`),
    "}",
    "shared {",
    ...kernel.shared.map((buffer) => `  ${formatBuffer(buffer)}`),
    "}",
    "{",
    ...body,
    "}",
    "",
  ].join("\n");
}
