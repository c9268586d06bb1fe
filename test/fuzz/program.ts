/** [test/fuzz] What a random program is: steps over tiles with what is known of their values, and its source text. Draws nothing. */
import type { DType } from "../../dsl/index.ts";

/**
 * What is known of every element: |x| ≤ 2^bits and x is a multiple of 2^-grain. While bits + grain stays within the 24 bits of
 * f32 nothing is rounded but by the rules of the language, so that every backend must give the same bits, in any order of sums.
 */
export interface Range {
  readonly bits: number;
  readonly grain: number;
  /** Present where devices may round otherwise: errors are small multiples of 2^error times the roundoff of f32, or of `inner`. */
  readonly error?: number;
  /** The narrowest dtype that an inexact value was rounded to on the way. */
  readonly inner?: DType;
}

export interface TileType {
  readonly dtype: DType;
  /** Names of config values, which are the sizes. */
  readonly axes: readonly string[];
}

export interface Value {
  readonly id: number;
  readonly type: TileType;
  readonly range: Range;
}

export interface Body {
  readonly steps: readonly Step[];
  /** One value for each result of the step that holds the body. */
  readonly yields: readonly number[];
}

/** `code` with `$0`, `$1` … for its arguments. */
export interface Code {
  readonly text: string;
  readonly args: readonly number[];
}

/**
 * `value`: one result made by `code`. `loop`: results start from `starts`, `code` is the range, `counter` its variable.
 * `while`: the same, but `code` is the condition, in which `#` is the counter, which starts at 0 and goes up by one. `if`: `code` is a scalar
 * condition, two bodies.
 */
export interface Step {
  readonly kind: "value" | "loop" | "while" | "if";
  readonly results: readonly Value[];
  readonly code: Code;
  /** The same without options, for shrinking. */
  readonly simpler?: Code;
  readonly starts?: readonly number[];
  readonly counter?: number;
  readonly bodies?: readonly Body[];
}

export interface Input {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly (string | number)[];
  readonly range: Range;
  /** In an order that the compiler chooses. */
  readonly packed?: boolean;
  /** Whether some elements are NaN, which no exact value ever depends on. */
  readonly holes?: boolean;
}

/** Counts in eight bins by atomics, with one i32 value along one axis choosing the bin of each element. */
export interface Count {
  readonly value: Value;
  readonly fn: "Add" | "Max" | "Min";
  readonly dtype: "i32" | "u32" | "f32";
}

export interface Program {
  readonly seed: number;
  /** Sizes of the dims M, N and K of tensors. */
  readonly dims: Readonly<Record<string, number>>;
  readonly specialize: readonly string[];
  /** Sizes of all axes. */
  readonly config: Readonly<Record<string, number>>;
  readonly inputs: readonly Input[];
  /** The scalar parameter n. */
  readonly n: number;
  readonly steps: readonly Step[];
  readonly outputs: readonly Value[];
  /** Of some outputs, by place: a tile of bool that says which elements are stored. */
  readonly masks: readonly (Value | undefined)[];
  readonly counted: readonly Count[];
}

const BINS = 8;
const PLAIN = ["BM", "BN", "BM,BN", "BN,BM"];
const OPS = [
  ...["abs", "argmax", "argmin", "atomicAdd", "atomicMax", "atomicMin", "bitcast"],
  ...["bounded", "broadcast", "cast", "cdiv", "ceil", "dequant"],
  ...["cummax", "cumsum", "dot", "every", "exp", "exp2", "floor", "floordiv", "full", "gather"],
  ...["ifAny", "inout", "iota", "kernel", "load", "log2", "max", "maximum", "merge", "min"],
  ...[
    "minimum",
    "mod",
    "mulhi",
    "out",
    "packed",
    "pid",
    "range",
    "relu",
    "rename",
    "rotl",
    "round",
    "rsqrt",
  ],
  ...["scalar", "select", "sigmoid", "some", "span", "split", "sqrt", "store", "sum", "tanh"],
  ...["tensor", "tile", "topK", "where", "zeros"],
];

export function gridOf({ dims, config }: Program): readonly [number, number] {
  const along = (dim: string, axis: string): number =>
    Math.ceil((dims[dim] ?? 1) / (config[axis] ?? 1));
  return [along("M", "BM"), along("N", "BN")];
}

/** Tiles along M and N only are stored where they belong, cut at the bounds; all others whole, one place a program. */
function isPlain(axes: readonly string[]): boolean {
  return PLAIN.includes(axes.join());
}

/** Shape of the tensor that takes an output, in the notation of the record. */
export function outputShape(program: Program, { type }: Value): readonly (string | number)[] {
  const [rows, columns] = gridOf(program);
  if (!isPlain(type.axes))
    return [rows, columns, ...type.axes.map((axis) => program.config[axis] ?? 1)];
  const dims = type.axes.map((axis) => (axis === "BM" ? "M" : "N"));
  if (dims.length === 2) return dims;
  return dims[0] === "M" ? ["M", columns] : [rows, "N"];
}

function outputIndex(axes: readonly string[]): string {
  const names = axes.map((axis) => (axis === "BM" ? "rows" : "cols"));
  if (!isPlain(axes))
    return ["pid(0)", "pid(1)", ...axes.map((axis) => `span(0, ${axis})`)].join(", ");
  if (axes.length === 2) return names.join(", ");
  return names[0] === "rows" ? "rows, pid(1)" : "pid(0), cols";
}

export function outputName(index: number): string {
  return `y${index}`;
}

export function binsName(index: number): string {
  return `bins${index}`;
}

function maskText(mask: Value | undefined): string {
  return mask === undefined ? "" : `, { mask: ${nameOf(mask.id)} }`;
}

const nameOf = (id: number): string => `v${id}`;

export function codeText({ text, args }: Code): string {
  return text.replace(/\$(\d)/g, (_, i: string) => nameOf(args[Number(i)] ?? -1));
}

function loopLines(step: Step, indent: string): readonly string[] {
  const [body] = step.bodies ?? [];
  const inner = `${indent}  `;
  const [counter, head] = [nameOf(step.counter ?? -1), codeText(step.code)];
  const isWhile = step.kind === "while";
  return [
    ...step.results.map(
      ({ id }, i) => `${indent}let ${nameOf(id)} = ${nameOf(step.starts?.[i] ?? -1)};`,
    ),
    ...(isWhile ? [`${indent}let ${counter} = 0;`] : []),
    isWhile
      ? `${indent}while (${head.replaceAll("#", counter)}) {`
      : `${indent}for (const ${counter} of ${head}) {`,
    ...stepLines(body?.steps ?? [], inner),
    ...step.results.map(
      ({ id }, i) => `${inner}const next${id} = ${nameOf(body?.yields[i] ?? -1)};`,
    ),
    ...step.results.map(({ id }) => `${inner}${nameOf(id)} = next${id};`),
    ...(isWhile ? [`${inner}${counter} = ${counter} + 1;`] : []),
    `${indent}}`,
  ];
}

function branchLines(step: Step, indent: string): readonly string[] {
  const inner = `${indent}  `;
  const [yes, no] = (step.bodies ?? []).map(({ steps, yields }) => [
    ...stepLines(steps, inner),
    ...step.results.map(({ id }, i) => `${inner}${nameOf(id)} = ${nameOf(yields[i] ?? -1)};`),
  ]);
  return [
    ...step.results.map(
      ({ id }, i) => `${indent}let ${nameOf(id)} = ${nameOf(step.starts?.[i] ?? -1)};`,
    ),
    `${indent}if (${codeText(step.code)}) {`,
    ...(yes ?? []),
    `${indent}} else {`,
    ...(no ?? []),
    `${indent}}`,
  ];
}

function stepLines(steps: readonly Step[], indent: string): readonly string[] {
  return steps.flatMap((step) => {
    switch (step.kind) {
      case "value":
        return [`${indent}const ${nameOf(step.results[0]?.id ?? -1)} = ${codeText(step.code)};`];
      case "loop":
      case "while":
        return loopLines(step, indent);
      case "if":
        return branchLines(step, indent);
    }
    return step.kind satisfies never;
  });
}

function shapeText(shape: readonly (string | number)[]): string {
  return shape.map((dim) => JSON.stringify(dim)).join(", ");
}

function paramLines(program: Program): readonly string[] {
  return [
    ...program.inputs.map(
      ({ name, dtype, shape, packed }) =>
        `${name}: ${packed === true ? "packed" : "tensor"}("${dtype}", ${shapeText(shape)}),`,
    ),
    ...program.outputs.map(
      (value, i) =>
        `${outputName(i)}: out("${value.type.dtype}", ${shapeText(outputShape(program, value))}),`,
    ),
    ...program.counted.map(({ dtype }, i) => `${binsName(i)}: inout("${dtype}", ${BINS}),`),
    'n: scalar("i32"),',
  ];
}

/** The whole program as TypeScript: a module that exports the kernel `program`. */
export function sourceOf(program: Program): string {
  const { config, specialize, inputs, outputs, counted } = program;
  const tensors = [
    ...inputs.map(({ name }) => name),
    ...outputs.map((_, i) => outputName(i)),
    ...counted.map((_, i) => binsName(i)),
  ];
  const dims = Object.keys(program.dims).filter((dim) =>
    inputs.some(({ shape }) => shape.includes(dim)),
  );
  const special = specialize.filter((dim) => dims.includes(dim));
  return [
    `import { ${OPS.join(", ")} } from "tilewright";`,
    "export const program = kernel(",
    "  {",
    `    name: "random_${program.seed}",`,
    "    params: {",
    ...paramLines(program).map((line) => `      ${line}`),
    "    },",
    `    config: ${JSON.stringify(config).replaceAll('"', "")},`,
    `    specialize: [${shapeText(special)}],`,
    `    grid: () => [${gridOf(program).join(", ")}],`,
    "  },",
    `  ({ ${[...tensors, "n", ...dims].join(", ")} }, { ${Object.keys(config).join(", ")} }) => {`,
    "    const rows = tile(pid(0), BM);",
    "    const cols = tile(pid(1), BN);",
    ...stepLines(program.steps, "    "),
    ...outputs.map(
      ({ id, type }, i) =>
        `    store(${outputName(i)}, [${outputIndex(type.axes)}], ${nameOf(id)}${maskText(program.masks[i])});`,
    ),
    ...counted.map(
      ({ value, fn, dtype }, i) =>
        `    atomic${fn}(${binsName(i)}, [gather(mod(${nameOf(value.id)}, ${BINS}))], ${fn === "Add" ? 1 : `cast(pid(0) + 2, "${dtype}")`});`,
    ),
    "  },",
    ");",
    "",
  ].join("\n");
}

export const BIN_COUNT = BINS;
