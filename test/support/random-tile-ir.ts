/** [test/support] Random correct tile IR kernels as text, from a seed: tiles over a few axes, all pure ops, loads, loops, branches. */
import type { DType } from "../../dsl/core/dtype.ts";
import { type Axis, formatType, type ValueType } from "../../dsl/ir/types.ts";

interface Known {
  readonly text: string;
  readonly type: ValueType;
}

export interface RandomKernel {
  readonly text: string;
  readonly inputs: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly values: readonly number[] }>
  >;
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  readonly scalars: Readonly<Record<string, number>>;
}

/** Deterministic numbers in [0, 1). @source mulberry32, public domain by Tommy Ettinger */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = Math.imul(state ^ (state >>> 15), state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

const AXES: readonly Axis[] = [
  { name: "A", size: 3 },
  { name: "B", size: 4 },
  { name: "C", size: 2 },
  { name: "D", size: 1 },
  { name: "E", size: 6 },
];
const FLOATS: readonly DType[] = ["f32", "f32", "f32", "f16", "bf16"];

/** Grows a kernel line by line; `#known` are the values that are visible. */
class KernelGrower {
  readonly #random: () => number;
  readonly #lines: string[] = [];
  #known: Known[] = [];
  #next = 0;
  #indent = "  ";

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  #int(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #pick<T>(list: readonly T[]): T {
    const item = list[this.#int(list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  #name(): string {
    return `%v.${this.#next++}`;
  }

  #define(type: ValueType, text: string): Known {
    const known = { text: this.#name(), type };
    this.#lines.push(`${this.#indent}${known.text}: ${formatType(type)} = ${text}`);
    this.#known.push(known);
    return known;
  }

  #some(accept: (type: ValueType) => boolean): Known | undefined {
    const list = this.#known.filter((known) => accept(known.type));
    return list.length === 0 ? undefined : this.#pick(list.slice(-12));
  }

  #axes(count: number): Axis[] {
    const pool = AXES.slice(0, 4);
    return Array.from(
      { length: count },
      () => pool.splice(this.#int(pool.length), 1)[0] ?? { name: "A", size: 3 },
    );
  }

  /** `known` with the axes of `axes` that it lacks, all in random order. */
  #broadcast(known: Known, more: readonly Axis[]): Known {
    const extra = more.filter((axis) => !known.type.axes.some((own) => own.name === axis.name));
    const axes = [...known.type.axes, ...extra].sort(() => this.#random() - 0.5);
    return this.#define({ dtype: known.type.dtype, axes }, `broadcast ${known.text}`);
  }

  /** Two values of one type. */
  #two(accept: (type: ValueType) => boolean): readonly [Known, Known] | undefined {
    const a = this.#some(accept);
    if (a === undefined) return undefined;
    const b = this.#some((type) => type.dtype === a.type.dtype);
    if (b === undefined || this.#random() < 0.2) return [a, a];
    if (formatType(a.type) === formatType(b.type)) return [a, b];
    const wide = this.#broadcast(
      a,
      b.type.axes.filter((axis) => !clash(a.type.axes, axis)),
    );
    if (b.type.axes.some((axis) => clash(a.type.axes, axis))) return [wide, wide];
    return [
      wide,
      this.#define({ dtype: b.type.dtype, axes: wide.type.axes }, `broadcast ${b.text}`),
    ];
  }

  elementwise(): void {
    const float = (type: ValueType): boolean => type.dtype.startsWith("f") || type.dtype === "bf16";
    const choice = this.#int(5);
    if (choice === 0) {
      const x = this.#some(float);
      if (x === undefined) return;
      const fn = this.#pick(["neg", "abs", "exp", "exp2", "floor", "round", "tanh", "sqrt"]);
      this.#define(x.type, `${fn} ${x.text}`);
    } else if (choice === 1) {
      const pair = this.#two((type) => type.dtype === "i32");
      if (pair === undefined) return;
      const fn = this.#pick(["add", "sub", "min", "max", "and", "xor"]);
      this.#define(pair[0].type, `${fn} ${pair[0].text}, ${pair[1].text}`);
    } else if (choice === 2) {
      const x = this.#some((type) => type.dtype !== "bool");
      if (x === undefined) return;
      const dtype = this.#pick<DType>(["f32", "f16", "bf16", "i32", "f8e4m3"]);
      if (dtype === x.type.dtype) return;
      this.#define({ dtype, axes: x.type.axes }, `cast ${x.text}`);
    } else {
      const pair = this.#two(float);
      if (pair === undefined) return;
      const [a, b] = pair;
      if (choice === 3) {
        const fn = this.#pick(["add", "sub", "mul", "div", "min", "max"]);
        this.#define(a.type, `${fn} ${a.text}, ${b.text}`);
        return;
      }
      const cond = this.#define(
        { dtype: "bool", axes: a.type.axes },
        `${this.#pick(["lt", "ge", "ne"])} ${a.text}, ${b.text}`,
      );
      this.#define(a.type, `select ${cond.text}, ${a.text}, ${b.text}`);
    }
  }

  axisOp(): void {
    const x = this.#some(
      (type) => type.axes.length > 0 && type.dtype !== "bool" && !type.dtype.startsWith("f8"),
    );
    if (x === undefined) return;
    const axis = this.#pick(x.type.axes);
    const rest = x.type.axes.filter((other) => other !== axis);
    const { dtype } = x.type;
    switch (this.#int(7)) {
      case 0:
        this.#define(
          { dtype, axes: rest },
          `reduce ${this.#pick(["sum", "max", "min"])} ${x.text} over ${axis.name}`,
        );
        return;
      case 1:
        this.#define(
          { dtype: "i32", axes: rest },
          `${this.#pick(["argmax", "argmin"])} ${x.text} over ${axis.name}`,
        );
        return;
      case 2:
        this.#define(x.type, `scan ${this.#pick(["sum", "max"])} ${x.text} over ${axis.name}`);
        return;
      case 3:
        this.#broadcast(
          x,
          this.#axes(1 + this.#int(2)).filter((more) => !clash(x.type.axes, more)),
        );
        return;
      case 4: {
        const name = `R${this.#next}`;
        const axes = x.type.axes.map((own) => (own === axis ? { name, size: own.size } : own));
        const renamed = this.#define({ dtype, axes }, `rename ${x.text}`);
        if (!dtype.startsWith("f8") && rest.length > 0 && dtype !== "i32")
          this.#dot(x, renamed, rest);
        return;
      }
      case 5: {
        const at = x.type.axes.indexOf(axis);
        const next = x.type.axes[at + 1];
        if (next === undefined) return;
        const into = { name: `M${this.#next}`, size: axis.size * next.size };
        const axes = [...x.type.axes.slice(0, at), into, ...x.type.axes.slice(at + 2)];
        this.#define(
          { dtype, axes },
          `merge ${x.text} (${axis.name}, ${next.name}) into ${into.name}`,
        );
        return;
      }
      default: {
        const outer = axis.size % 2 === 0 ? 2 : 1;
        const parts = [
          { name: `S${this.#next}`, size: outer },
          { name: `T${this.#next}`, size: axis.size / outer },
        ];
        const axes = x.type.axes.flatMap((own) => (own === axis ? parts : [own]));
        const names = parts.map((part) => part.name).join(", ");
        this.#define({ dtype, axes }, `split ${x.text} ${axis.name} into (${names})`);
      }
    }
  }

  /** Contracts `a` with a renamed copy of itself along one axis; what else they share is reduced away first. */
  #dot(a: Known, renamed: Known, shared: readonly Axis[]): void {
    const axis = this.#pick(shared);
    let b = renamed;
    for (const other of shared) {
      if (other === axis) continue;
      const axes = b.type.axes.filter((own) => own.name !== other.name);
      b = this.#define({ dtype: b.type.dtype, axes }, `reduce max ${b.text} over ${other.name}`);
    }
    const drop = (known: Known): Axis[] => known.type.axes.filter((own) => own.name !== axis.name);
    const type: ValueType = { dtype: "f32", axes: [...drop(a), ...drop(b)] };
    const row: ValueType = { dtype: "f32", axes: type.axes.slice(-1) };
    const half = this.#random() < 0.5;
    const acc = half
      ? this.#define(type, `broadcast ${this.#define(row, "const 0.75").text}`)
      : undefined;
    const tail = acc === undefined ? "" : ` acc ${acc.text}`;
    this.#define(type, `dot ${a.text}, ${b.text} over ${axis.name}${tail}`);
  }

  load(): void {
    const start = this.#define({ dtype: "i32", axes: [] }, `const ${this.#int(5) - 2}`);
    const [row, column] = this.#axes(2);
    if (row === undefined || column === undefined) return;
    const dtype = this.#pick(FLOATS);
    const tensor = `x_${dtype}`;
    const index = this.#some(
      (type) => type.dtype === "i32" && type.axes.length === 1 && !clash([column], type.axes[0]),
    );
    const end = this.#random() < 0.3 ? ` end ${start.text}` : "";
    const span = `span ${column.name}=${column.size} from ${start.text}`;
    const fill = this.#pick(["0", "-1.5"]);
    const gathers = index?.type.axes.every((axis) => axis.name !== column.name) === true;
    if (index !== undefined && gathers && this.#random() < 0.5) {
      const bounded = this.#bounded(index);
      this.#define(
        { dtype, axes: [...index.type.axes, column] },
        `load ${tensor}[gather ${bounded.text}, ${span}] fill ${fill}`,
      );
    } else {
      this.#define(
        { dtype, axes: [row, column] },
        `load ${tensor}[span ${row.name}=${row.size} from %zero.0${end}, ${span}] fill ${fill}`,
      );
    }
  }

  /** An index brought into [-1, 3]. */
  #bounded(index: Known): Known {
    const low = this.#define(index.type, "const -1");
    const high = this.#define(index.type, "const 3");
    const raised = this.#define(index.type, `max ${index.text}, ${low.text}`);
    return this.#define(index.type, `min ${raised.text}, ${high.text}`);
  }

  /** A loop that carries one or two values; the body may use everything outside. */
  loop(): void {
    const first = this.#some((type) => type.dtype !== "bool");
    if (first === undefined) return;
    const carried = [
      first,
      ...this.#known.filter((known) => formatType(known.type) === formatType(first.type)).slice(-1),
    ];
    const outer = this.#known;
    const results = carried.map((known) => ({ text: this.#name(), type: known.type }));
    const counter = { text: this.#name(), type: { dtype: "i32", axes: [] } as const };
    const params = carried.map((known) => ({ text: this.#name(), type: known.type }));
    const heads = results.map((known) => `${known.text}: ${formatType(known.type)}`).join(", ");
    const carry = params
      .map((known, i) => `${known.text}: ${formatType(known.type)} = ${carried[i]?.text}`)
      .join(", ");
    this.#lines.push(
      `${this.#indent}${heads} = for ${counter.text}: i32 = %zero.0 to %n.2 step %one.1 carry (${carry}) {`,
    );
    this.#inside([...outer, counter, ...params], first.type, params.length);
    this.#known = [...outer, ...results];
  }

  branch(): void {
    const value = this.#some((type) => type.dtype !== "bool");
    if (value === undefined) return;
    const cond = this.#define({ dtype: "bool", axes: [] }, "gt %n.2, %one.1");
    const outer = this.#known;
    const result = { text: this.#name(), type: value.type };
    this.#lines.push(
      `${this.#indent}${result.text}: ${formatType(result.type)} = if ${this.#pick([cond.text, cond.text, "%yes.3"])} {`,
    );
    this.#inside(outer, value.type, 1);
    this.#lines[this.#lines.length - 1] = `${this.#indent}} else {`;
    this.#inside(outer, value.type, 1);
    this.#known = [...outer, result];
  }

  #inside(visible: Known[], type: ValueType, yields: number): void {
    const indent = this.#indent;
    this.#indent = `${indent}  `;
    this.#known = [...visible];
    for (let i = 0; i < 3; i++) this.step(false);
    const fitting = this.#known
      .filter((known) => formatType(known.type) === formatType(type))
      .slice(-4);
    const list = Array.from({ length: yields }, () => this.#pick(fitting).text);
    this.#lines.push(`${this.#indent}yield ${list.join(", ")}`);
    this.#indent = indent;
    this.#lines.push(`${indent}}`);
  }

  step(nested: boolean): void {
    const choice = this.#random();
    if (choice < 0.5) this.elementwise();
    else if (choice < 0.8) this.axisOp();
    else if (choice < 0.9 || !nested) this.load();
    else if (choice < 0.95) this.loop();
    else this.branch();
  }

  kernel(steps: number): RandomKernel {
    this.#next = 4;
    this.#known = [
      { text: "%zero.0", type: { dtype: "i32", axes: [] } },
      { text: "%n.2", type: { dtype: "i32", axes: [] } },
    ];
    this.#define({ dtype: "i32", axes: [AXES[0] ?? { name: "A", size: 3 }] }, "iota");
    this.load();
    this.load();
    for (let i = 0; i < steps; i++) this.step(true);
    const stored = this.#known
      .filter((known) => known.type.axes.length > 0 || known.type.dtype !== "bool")
      .slice(-6);
    const outputs: Record<string, readonly number[]> = {};
    const params = stored.map((known, i) => {
      const axes = known.type.axes;
      const shape = axes.length === 0 ? [1] : axes.map((axis) => axis.size);
      outputs[`out${i}`] = shape;
      const at =
        axes.length === 0
          ? "at %zero.0"
          : axes.map((axis) => `span ${axis.name}=${axis.size} from %zero.0`).join(", ");
      this.#lines.push(`  store out${i}[${at}] = ${known.text}`);
      return `  out${i}: out ${known.type.dtype}[${shape.join(", ")}],`;
    });
    const inputs: Record<string, { shape: readonly number[]; values: readonly number[] }> = {};
    for (const dtype of new Set(FLOATS)) {
      const values = Array.from({ length: 20 }, () =>
        this.#random() < 0.05 ? Number.NaN : Math.fround(8 * this.#random() - 4),
      );
      inputs[`x_${dtype}`] = { shape: [4, 5], values };
      params.push(`  x_${dtype}: in ${dtype}[4, 5],`);
    }
    const head = [
      "  %zero.0: i32 = const 0",
      "  %one.1: i32 = const 1",
      "  %n.2: i32 = param n",
      "  %yes.3: bool = const true",
    ];
    const text = [
      "kernel random(",
      ...params,
      "  n: i32,",
      ") {",
      ...head,
      ...this.#lines,
      "}",
      "",
    ].join("\n");
    return { text, inputs, outputs, scalars: { n: this.#int(4) } };
  }
}

/** True where an axis has the name, but not the size, of one of the others. */
function clash(axes: readonly Axis[], axis: Axis | undefined): boolean {
  return axes.some((own) => own.name === axis?.name && own.size !== axis.size);
}

/** A kernel that the verifier accepts, in the exact form of the printer. */
export function randomKernel(seed: number, steps = 14): RandomKernel {
  return new KernelGrower(seed).kernel(steps);
}
