/**
 * [dsl/ir] Reads the text form of the tile IR: `parseKernel(printKernel(k))` equals `k` but for locations. Ops live in parse-op.ts.
 *
 * `kernel NAME(PARAM, …) dims(…) fixed(…) config(…) { OP … }`; one op a line, `//` starts a comment; a value is
 * `%name.id`, its definition `%name.id: dtype[axis=size, …]`; a comment `// file:line:col` is the op's location.
 */
import { DTYPE_NAMES } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type { Block, Op, Param, RangeHints, TensorDim, TileKernel } from "./nodes.ts";
import { readDotWait, readRoles } from "./parse-explicit.ts";
import { readEffectOp, readValuedOp } from "./parse-op.ts";
import { ValueReader } from "./parse-values.ts";
import { TokenReader } from "./tokens.ts";
import type { Value } from "./types.ts";

const ACCESS = ["in", "out", "inout"] as const;

function readDim(t: TokenReader): TensorDim {
  if (t.peek().kind === "number") return { size: t.number("a size") };
  const name = t.name("a dim");
  return t.accept("=") ? { name, size: t.number("a size") } : { name };
}

function readParam(t: TokenReader): Param {
  const name = t.name("a parameter");
  t.expect(":");
  const access = ACCESS.find((word) => t.accept(word));
  const packed = access === "in" && t.accept("packed") ? { packed: true as const } : {};
  const dtype = t.oneOf(DTYPE_NAMES, "dtype");
  if (access === undefined) return { kind: "scalar", name, dtype };
  t.expect("[");
  return { kind: "tensor", name, dtype, shape: t.list("]", () => readDim(t)), access, ...packed };
}

function readClause<T>(t: TokenReader, word: string, item: () => T): T[] {
  if (!t.accept(word)) return [];
  t.expect("(");
  return t.list(")", item);
}

function readSetting<T>(t: TokenReader, read: (what: string) => T): [string, T] {
  const key = t.name("a name");
  t.expect("=");
  return [key, read(`the value of ${key}`)];
}

function readConfigValue(t: TokenReader, what: string): number | boolean {
  if (t.accept("true")) return true;
  return t.accept("false") ? false : t.number(what);
}

/** Definitions with an initial value each: `(%x.4: f32 = %zero.1, …)`. */
function readCarry(r: ValueReader): { readonly params: Value[]; readonly inits: Value[] } {
  r.tokens.expect("(");
  const pairs = r.tokens.list(")", () => {
    const param = r.declare();
    r.tokens.expect("=");
    return [param, r.use()] as const;
  });
  return { params: pairs.map(([param]) => param), inits: pairs.map(([, init]) => init) };
}

function readValues(r: ValueReader): Value[] {
  const values = [r.use()];
  while (r.tokens.accept(",")) values.push(r.use());
  return values;
}

/** Ops and an optional `yield` up to the closing brace, which is taken. The opening brace is behind. */
function readBlock(r: ValueReader, params: readonly Value[]): Block {
  const ops: Op[] = [];
  r.commit(params);
  while (!r.tokens.accept("}")) {
    if (r.tokens.accept("yield")) {
      const yields = readValues(r);
      r.tokens.expect("}");
      return { params, ops, yields };
    }
    ops.push(readOp(r));
  }
  return { params, ops, yields: [] };
}

function readRangeHints(t: TokenReader): RangeHints {
  const stages = t.accept("stages") ? { stages: t.number("a number of stages") } : {};
  const unroll = t.accept("unroll") ? { unroll: t.number("an unroll factor") } : {};
  return { ...stages, ...unroll };
}

function readFor(r: ValueReader, results: readonly Value[], loc: Location): Op {
  const t = r.tokens;
  const iv = r.declare();
  t.expect("=");
  const lo = r.use();
  t.expect("to");
  const hi = r.use();
  t.expect("step");
  const step = r.use();
  const { params, inits } = t.accept("carry") ? readCarry(r) : { params: [], inits: [] };
  const hints = readRangeHints(t);
  t.expect("{");
  const body = readBlock(r, [iv, ...params]);
  return { kind: "for", results, lo, hi, step, inits, body, hints, loc };
}

function readWhile(r: ValueReader, results: readonly Value[], loc: Location): Op {
  const t = r.tokens;
  const { params, inits } = readCarry(r);
  t.expect("max");
  const maxTrips = t.number("the limit of trips");
  t.expect("{");
  const cond = readBlock(r, params);
  t.expect("do");
  t.expect("(");
  const bodyParams = t.list(")", () => r.declare());
  t.expect("{");
  const body = readBlock(r, bodyParams);
  return { kind: "while", results, inits, cond, body, maxTrips, loc };
}

function readIf(r: ValueReader, results: readonly Value[], loc: Location): Op {
  const byRows = r.tokens.accept("by_rows") ? ({ byRows: true } as const) : {};
  const cond = r.use();
  r.tokens.expect("{");
  const yes = readBlock(r, []);
  let no: Block = { params: [], ops: [], yields: [] };
  if (r.tokens.accept("else")) {
    r.tokens.expect("{");
    no = readBlock(r, []);
  }
  // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
  return { kind: "if", results, ...byRows, cond, then: yes, else: no, loc };
}

function readIfAny(r: ValueReader, results: readonly Value[], loc: Location): Op {
  const t = r.tokens;
  const cond = r.use();
  t.expect("along");
  const axis = t.name("an axis");
  t.expect("else");
  t.expect("(");
  const elseValues = t.list(")", () => r.use());
  t.expect("{");
  return { kind: "if_any", results, cond, axis, body: readBlock(r, []), elseValues, loc };
}

function readStructured(r: ValueReader, results: readonly Value[], loc: Location): Op | undefined {
  if (r.tokens.accept("for")) return readFor(r, results, loc);
  if (r.tokens.accept("while")) return readWhile(r, results, loc);
  if (r.tokens.accept("if")) return readIf(r, results, loc);
  if (r.tokens.accept("dot_wait")) return readDotWait(r, results, loc);
  if (r.tokens.accept("roles")) return readRoles(r, loc, () => readBlock(r, []));
  return r.tokens.accept("if_any") ? readIfAny(r, results, loc) : undefined;
}

function readOp(r: ValueReader): Op {
  const t = r.tokens;
  const loc = t.location();
  const declared: Value[] = [];
  if (t.peek().kind === "value") {
    do declared.push(r.declare());
    while (t.accept(","));
    t.expect("=");
  }
  const structured = readStructured(r, declared, loc);
  const [first, second] = declared;
  const op =
    structured ??
    (first === undefined || second !== undefined
      ? readEffectOp(r, loc)
      : readValuedOp(r, first, loc));
  r.commit(declared);
  return op;
}

/**
 * Reads one kernel. It is not verified: the text may break every rule but that of names.
 * @param file display name of the text for error messages
 * @throws KernelSourceError TW1901 where the text is not of the form that the printer gives
 */
export function parseKernel(text: string, file = "<tile-ir>"): TileKernel {
  const t = new TokenReader(text, file);
  t.expect("kernel");
  const name = t.name("the kernel's name");
  t.expect("(");
  const params = t.list(")", () => readParam(t));
  const dims = readClause(t, "dims", () => t.name("a dim"));
  const fixed = readClause(t, "fixed", () => readSetting(t, (what) => t.number(what)));
  const config = readClause(t, "config", () => readSetting(t, (what) => readConfigValue(t, what)));
  t.expect("{");
  const body = readBlock(new ValueReader(t), []);
  if (t.peek().kind !== "end") t.fail("text follows the kernel", "the end of the text");
  const fixedDims = Object.fromEntries(fixed);
  return { name, params, dims, fixedDims, config: Object.fromEntries(config), body };
}
