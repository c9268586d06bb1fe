/** [dsl/interpreter] State of one translation of a kernel to JavaScript: buffers, expressions of values, functions, op numbers. */
import { DTYPES, type DType, isFloat } from "../core/dtype.ts";
import type { SlotOp } from "../ir/explicit.ts";
import type { Block, Op, TileKernel } from "../ir/nodes.ts";
import { formatOp } from "../ir/print.ts";
import { type Axis, elementCount, isScalar, type Value } from "../ir/types.ts";
import { operands, results, walkBlocks } from "../ir/visit.ts";
import { CodeWriter } from "./code-writer.ts";
import { roundText } from "./element-text.ts";
import {
  costOf,
  type Expression,
  isTileFree,
  type Leaf,
  leavesOf,
  renderExpression,
  scalarsOf,
} from "./expression.ts";
import { fuseAxes, Nest, rowMajor } from "./nest.ts";
import type { RoleName } from "./role-memory.ts";

export interface EmissionOptions {
  /** Emit the checks of the `full` mode. */
  readonly checks: boolean;
  /** Sums of dots and reductions in f64, rounded once. */
  readonly wideSums: boolean;
  /** Keep every value in memory and call the hook after every op. */
  readonly observed: boolean;
}

/** A typed array of the generated program, inside its arena. */
export interface BufferPlan {
  readonly name: string;
  readonly array: "Float32Array" | "Int32Array" | "Uint32Array" | "Uint8Array";
  readonly elements: number;
  /** Declared a second time as its 32-bit patterns, under `NAME$bits`. */
  asBits?: true;
}

/** Ops that may compute an operand of theirs on the fly, element by element. */
const FUSING: ReadonlySet<Op["kind"]> = new Set([
  "unary",
  "binary",
  "compare",
  "select",
  "cast",
  "bitcast",
  "broadcast",
  "reduce",
  "arg_reduce",
  "scan",
  "load",
  "store",
  "atomic",
]);
/** What may be computed again for each element that a broadcast repeats. */
const CHEAP = 3;

const NO_ROLE = { name: "consumer", warpgroups: 1 } as const;

interface Use {
  count: number;
  /** The reader and its block; undefined where there are several, or a yield reads. */
  reader: Op | undefined;
  block: Block | undefined;
}

function arrayOf(dtype: DType): BufferPlan["array"] {
  if (isFloat(dtype)) return "Float32Array";
  if (dtype === "bool") return "Uint8Array";
  return DTYPES[dtype].signed ? "Int32Array" : "Uint32Array";
}

function identifier(name: string): string {
  return name.replaceAll(/[^\w$]/g, "_");
}

export class Emission {
  readonly kernel: TileKernel;
  readonly options: EmissionOptions;
  readonly functions = new CodeWriter();
  readonly main = new CodeWriter();
  readonly buffers: BufferPlan[] = [];
  /** Ops by number, for findings and hooks. */
  readonly sites: Op[] = [];
  readonly #siteOf = new Map<Op, number>();
  readonly #expressions = new Map<number, Expression>();
  readonly #uses = new Map<number, Use>();
  readonly #blockOf = new Map<number, Block>();
  /** Slots of shared memory that were read, by the id of the tile. */
  readonly slots = new Map<number, SlotOp>();
  /** The role whose block is emitted. */
  role: { readonly name: RoleName; readonly warpgroups: number } = NO_ROLE;
  readonly #rings = new Map<string, string>();
  #hasMemory = false;
  #scratch = 0;
  #functionCount = 0;

  constructor(kernel: TileKernel, options: EmissionOptions) {
    this.kernel = kernel;
    this.options = options;
    walkBlocks(kernel.body, (block) => {
      for (const op of block.ops) {
        for (const value of operands(op)) this.#noteUse(value, op, block);
      }
      for (const value of block.yields) this.#noteUse(value, undefined, undefined);
    });
  }

  #noteUse(value: Value, reader: Op | undefined, block: Block | undefined): void {
    const use = this.#uses.get(value.id);
    if (use === undefined) this.#uses.set(value.id, { count: 1, reader, block });
    else this.#uses.set(value.id, { count: use.count + 1, reader: undefined, block: undefined });
  }

  /** Runs `emit` for the block of a role. */
  within(name: RoleName, warpgroups: number, emit: () => void): void {
    this.role = { name, warpgroups: name === "producer" ? 1 : warpgroups };
    emit();
    this.role = NO_ROLE;
  }

  /** Declares what the roles of a program share, once. */
  openMemory(): void {
    if (!this.#hasMemory) this.main.line("const memory$ = newRoleMemory();");
    this.#hasMemory = true;
  }

  addRing(name: string, buffer: string): void {
    this.#rings.set(name, buffer);
  }

  ringBuffer(name: string): string {
    const found = this.#rings.get(name);
    if (found === undefined) throw new Error(`no ring ${name}`);
    return found;
  }

  useCount(value: Value): number {
    return this.#uses.get(value.id)?.count ?? 0;
  }

  /** The number of an op in findings. */
  site(op: Op): number {
    const known = this.#siteOf.get(op);
    if (known !== undefined) return known;
    this.sites.push(op);
    this.#siteOf.set(op, this.sites.length - 1);
    return this.sites.length - 1;
  }

  /** Arguments that say where checked arithmetic happens; undefined without checks. */
  checkedSite(op: Op, element: string): string | undefined {
    return this.options.checks ? `${this.site(op)}, ${element}` : undefined;
  }

  variable(value: Value): string {
    return `${identifier(value.name)}_${value.id}`;
  }

  buffer(name: string, dtype: DType, elements: number): string {
    const taken = this.buffers.some((buffer) => buffer.name === name);
    const unique = taken ? `${name}$${this.buffers.length}` : name; // a body that is emitted twice
    this.buffers.push({ name: unique, array: arrayOf(dtype), elements });
    return unique;
  }

  /** A row-major buffer for a value. */
  allocate(value: Value, name = `t_${this.variable(value)}`): Leaf {
    const buffer = this.buffer(name, value.type.dtype, elementCount(value.type));
    return { buffer, strides: rowMajor(value.type.axes) };
  }

  /** Name of the 32-bit patterns of a float buffer. */
  bitsOf(leaf: Leaf): string {
    const plan = this.buffers.find((buffer) => buffer.name === leaf.buffer);
    if (plan !== undefined) plan.asBits = true;
    return `${leaf.buffer}$bits`;
  }

  scratch(dtype: DType, axes: readonly Axis[]): Leaf {
    const elements = axes.reduce((n, axis) => n * axis.size, 1);
    const buffer = this.buffer(`scratch$${this.#scratch++}`, dtype, elements);
    return { buffer, strides: rowMajor(axes) };
  }

  define(value: Value, expression: Expression): void {
    this.#expressions.set(value.id, expression);
  }

  expression(value: Value): Expression {
    const found = this.#expressions.get(value.id);
    if (found === undefined) throw new Error(`value %${value.id} has no expression`);
    return found;
  }

  /** Remembers in which block an op stands, for the decision about fusing. */
  enterBlock(block: Block): void {
    for (const op of block.ops) this.#blockOf.set(this.site(op), block);
  }

  /**
   * Defines the result of an elementwise op: a variable for a scalar, computed on the fly where the only reader allows
   * it, otherwise a buffer that a function fills.
   * @param checked true where evaluating the expression may report a finding, so that it must happen once, here
   */
  defineElementwise(op: Op, result: Value, expression: Expression, checked = false): void {
    if (isScalar(result.type)) {
      if (expression.kind === "apply")
        this.defineScalar(result, renderExpression(expression, noTile));
      else this.define(result, expression);
    } else if (expression.kind !== "apply" || this.#staysInline(op, result, expression, checked)) {
      this.define(result, expression);
    } else this.define(result, { kind: "leaf", leaf: this.materialize(op, result, expression) });
  }

  defineScalar(result: Value, text: string): void {
    const name = this.variable(result);
    this.main.line(`const ${name} = ${text};`);
    this.define(result, { kind: "scalar", name });
  }

  #staysInline(op: Op, result: Value, expression: Expression, checked: boolean): boolean {
    if (this.options.observed || checked) return false;
    if (costOf(expression) <= 1 && isTileFree(expression)) return true;
    const use = this.#uses.get(result.id);
    if (use?.count !== 1 || use.reader === undefined || !FUSING.has(use.reader.kind)) return false;
    if (use.block !== this.#blockOf.get(this.site(op))) return false;
    return use.reader.kind !== "broadcast" || costOf(expression) <= CHEAP;
  }

  /** Emits a function that writes an expression to a new buffer, and its call. */
  materialize(op: Op, value: Value, expression: Expression): Leaf {
    const leaf = this.allocate(value);
    this.call(op, scalarsOf(expression), (w) =>
      this.writeTile(w, leaf, value.type.axes, expression),
    );
    return leaf;
  }

  /** Loops that write an expression, element by element, to a buffer over some axes. */
  writeTile(w: CodeWriter, leaf: Leaf, axes: readonly Axis[], expression: Expression): void {
    const leaves = [...leavesOf(expression), leaf];
    const nest = new Nest(w, leaves);
    nest.enterAll(fuseAxes(axes, leaves));
    const text = renderExpression(expression, nest.index);
    w.line(`${leaf.buffer}[${nest.index(leaf)}] = ${text};`);
    nest.closeAll();
  }

  /** The buffer that holds a value; one is filled where the value is a splat or computed on the fly. */
  leaf(op: Op, value: Value): Leaf {
    const expression = this.expression(value);
    if (expression.kind === "leaf" && expression.leaf.buffer !== undefined) return expression.leaf;
    const leaf = this.scratch(value.type.dtype, value.type.axes);
    this.call(op, scalarsOf(expression), (w) =>
      this.writeTile(w, leaf, value.type.axes, expression),
    );
    return leaf;
  }

  /**
   * Emits a function for an op and gives the text of its call; the call is a statement of the main function unless the
   * function gives a value.
   */
  call(op: Op, scalars: readonly string[], body: (w: CodeWriter) => void, result?: Value): void {
    const args = [...new Set(scalars)];
    const name = `${op.kind}$${this.#functionCount++}`;
    this.functions.line(`// ${formatOp(op)}`);
    this.functions.open(`function ${name}(${args.join(", ")}) {`);
    body(this.functions);
    this.functions.close();
    const text = `${name}(${args.join(", ")})`;
    if (result === undefined) this.main.line(`${text};`);
    else this.defineScalar(result, text);
  }

  /** Emits the call of the hook that sees the results of an op, where there is one. */
  observe(op: Op): void {
    if (!this.options.observed) return;
    const scalars = results(op).map((value) => {
      const expression = this.expression(value);
      return isScalar(value.type) ? renderExpression(expression, noTile) : "undefined";
    });
    this.main.line(`observe(${this.site(op)}, [${scalars.join(", ")}]);`);
  }

  /** A number as the dtype's value, rounded where it is a float. */
  round(dtype: DType, text: string): string {
    return isFloat(dtype) ? roundText(dtype, text) : text;
  }
}

/** Element numbers in scalar expressions: there is only element 0. */
function noTile(leaf: Leaf): string {
  if (leaf.buffer === undefined) return "0";
  throw new Error(`a scalar expression reads tile ${leaf.buffer}`);
}
