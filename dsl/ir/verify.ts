/** [dsl/ir] The verifier of the tile IR: names, dominance, blocks and, through verify-op.ts and verify-memory.ts, every op's types. */
import { type Diagnostic, InternalError } from "../core/errors.ts";
import { UNKNOWN_LOCATION } from "../core/location.ts";
import type { Block, Op, TileKernel } from "./nodes.ts";
import { formatDefinition, formatOp, formatValue } from "./print.ts";
import { findAxis, formatType, sameType, type Value } from "./types.ts";
import {
  type SharedNames,
  sharedNames,
  verifyExplicitOp,
  verifyPlaces,
} from "./verify-explicit.ts";
import { verifyMemoryOp, verifyRowLocal } from "./verify-memory.ts";
import {
  expectType,
  type Report,
  VERIFY_CODES,
  type VerifyRule,
  verifyPureOp,
} from "./verify-op.ts";
import { operands, regions, results, walkOps } from "./visit.ts";

/** Walks a kernel once and collects every broken rule. */
class Verifier {
  readonly found: Diagnostic[] = [];
  readonly #kernel: TileKernel;
  /** Values that the text so far makes visible, and those that were visible anywhere. */
  readonly #visible = new Map<number, Value>();
  readonly #everDefined = new Set<number>();
  #op: Op | undefined;
  readonly #names: SharedNames;

  constructor(kernel: TileKernel) {
    this.#kernel = kernel;
    this.#names = sharedNames(kernel);
  }

  readonly report: Report = (rule: VerifyRule, message: string, seen: string, expected: string) => {
    const op = this.#op;
    const where = op === undefined ? `kernel ${this.#kernel.name}` : formatOp(op);
    this.found.push({
      code: VERIFY_CODES[rule],
      message: `tile IR: ${message}, in \`${where}\``,
      seen,
      expected,
      remedy: "this is a bug in the front end or in the pass that ran last; please report it",
      location: op?.loc ?? UNKNOWN_LOCATION,
    });
  };

  run(): void {
    this.#params();
    this.#dims();
    const { body } = this.#kernel;
    this.#block(body);
    this.#expectTypes("parameters of the kernel's body", body.params, []);
    this.#expectTypes("yields of the kernel's body", body.yields, []);
    verifyPlaces(body, this.report);
  }

  #params(): void {
    const names = new Set<string>();
    for (const { name } of this.#kernel.params) {
      if (names.has(name)) this.report("name", "two parameters share a name", name, "one each");
      names.add(name);
    }
  }

  /** Dims of shapes are listed in `dims`, in order of first appearance, or fixed with the same size. */
  #dims(): void {
    const { dims, fixedDims, params } = this.#kernel;
    const free = new Set<string>();
    for (const param of params) {
      if (param.kind !== "tensor") continue;
      for (const dim of param.shape) {
        if (dim.size !== undefined && !(Number.isInteger(dim.size) && dim.size >= 0)) {
          this.report("attribute", "a dim's size is no size", String(dim.size), "an integer >= 0");
        }
        if (dim.name === undefined) continue;
        if (dim.size === undefined) free.add(dim.name);
        else if (fixedDims[dim.name] !== dim.size) {
          const expected = `${dim.name}=${fixedDims[dim.name] ?? "unknown"}`;
          this.report("name", "a fixed dim differs", `${dim.name}=${dim.size}`, expected);
        }
        if (dim.size === undefined && Object.hasOwn(fixedDims, dim.name)) {
          this.report("name", "a fixed dim lacks its size", dim.name, `${fixedDims[dim.name]}`);
        }
      }
    }
    const expected = [...free].join(", ");
    if (dims.join(", ") !== expected) {
      this.report("name", "the list of dims is not that of the shapes", dims.join(", "), expected);
    }
  }

  #define(value: Value): void {
    const text = formatDefinition(value);
    if (this.#everDefined.has(value.id)) {
      this.report("value", "a value is defined twice", text, "ids unique in the kernel");
    }
    this.#everDefined.add(value.id);
    this.#visible.set(value.id, value);
    const seen = new Set<string>();
    for (const { name, size } of value.type.axes) {
      if (seen.has(name)) this.report("axes", "an axis appears twice", text, "axis names unique");
      seen.add(name);
      if (Number.isInteger(size) && size >= 0) continue;
      this.report("axes", "an axis has no size", text, "an integer >= 0");
    }
  }

  #use(value: Value): void {
    const known = this.#visible.get(value.id);
    if (known === undefined) {
      const message = this.#everDefined.has(value.id)
        ? "a value is used outside of the block that defines it"
        : "a value is used before it is defined";
      this.report("value", message, formatValue(value), "a value defined above");
    } else if (!sameType(known.type, value.type)) {
      const message = "a use has another type than the definition";
      this.report("value", message, formatDefinition(value), formatDefinition(known));
    }
  }

  /** Values of the block are visible up to its end only. */
  #block(block: Block): void {
    const defined: Value[] = [...block.params];
    const owner = this.#op;
    for (const value of block.params) this.#define(value);
    for (const op of block.ops) {
      this.#op = op;
      this.#checkOp(op);
      for (const value of results(op)) {
        this.#define(value);
        defined.push(value);
      }
    }
    this.#op = owner;
    for (const value of block.yields) this.#use(value);
    for (const value of defined) this.#visible.delete(value.id);
  }

  #checkOp(op: Op): void {
    for (const value of operands(op)) this.#use(value);
    verifyPureOp(op, this.#kernel, this.report);
    verifyMemoryOp(op, this.#kernel, this.report);
    verifyExplicitOp(op, this.#names, this.report);
    for (const region of regions(op)) this.#block(region);
    this.#op = op;
    this.#structured(op);
  }

  /** `values` has as many entries as `expected`, of the same types. */
  #expectTypes(what: string, values: readonly Value[], expected: readonly Value[]): void {
    if (values.length !== expected.length) {
      const message = `the number of ${what} is wrong`;
      this.report("block", message, String(values.length), String(expected.length));
      return;
    }
    values.forEach((value, i) => {
      const other = expected[i];
      if (other === undefined || sameType(value.type, other.type)) return;
      const message = `the type of ${what} is wrong at position ${i}`;
      this.report("block", message, formatType(value.type), formatType(other.type));
    });
  }

  #structured(op: Op): void {
    switch (op.kind) {
      case "for": {
        const [iv, ...carried] = op.body.params;
        if (iv === undefined) this.report("block", "the loop has no counter", "none", "one i32");
        else expectType(this.report, "the counter", iv, "i32", []);
        for (const bound of [op.lo, op.hi, op.step]) {
          expectType(this.report, "a bound of the loop", bound, "i32", []);
        }
        this.#expectTypes("carried values", carried, op.inits);
        this.#expectTypes("yields of the loop", op.body.yields, op.inits);
        this.#expectTypes("results of the loop", op.results, op.inits);
        this.#hints(op.hints);
        return;
      }
      case "while":
        this.#while(op);
        return;
      case "if":
        expectType(this.report, "the condition", op.cond, "bool", []);
        this.#expectTypes("parameters of a branch", op.then.params, []);
        this.#expectTypes("parameters of a branch", op.else.params, []);
        this.#expectTypes("yields of the first branch", op.then.yields, op.results);
        this.#expectTypes("yields of the other branch", op.else.yields, op.results);
        return;
      case "if_any":
        this.#ifAny(op);
        return;
      default:
    }
  }

  #hints(hints: { readonly stages?: number; readonly unroll?: number }): void {
    for (const [name, value] of Object.entries(hints)) {
      if (Number.isInteger(value) && value >= 1) continue;
      this.report("attribute", `the hint ${name} is no count`, String(value), "an integer >= 1");
    }
  }

  #while(op: Extract<Op, { kind: "while" }>): void {
    this.#expectTypes("parameters of the condition", op.cond.params, op.inits);
    this.#expectTypes("parameters of the body", op.body.params, op.inits);
    this.#expectTypes("yields of the body", op.body.yields, op.inits);
    this.#expectTypes("results of the loop", op.results, op.inits);
    const [cond, ...more] = op.cond.yields;
    if (cond === undefined || more.length > 0) {
      const seen = `${op.cond.yields.length} values`;
      this.report("block", "the condition yields one value", seen, "one bool");
    } else expectType(this.report, "what the condition yields", cond, "bool", []);
    if (Number.isInteger(op.maxTrips) && op.maxTrips >= 1) return;
    const seen = String(op.maxTrips);
    this.report("attribute", "the limit of trips is no count", seen, "an integer >= 1");
  }

  #ifAny(op: Extract<Op, { kind: "if_any" }>): void {
    const { dtype } = op.cond.type;
    if (dtype !== "bool") this.report("dtype", "the condition is no bool", dtype, "bool");
    for (const value of [op.cond, ...op.results]) {
      if (findAxis(value.type, op.axis) !== undefined) continue;
      const seen = formatDefinition(value);
      this.report("axes", `a value lacks the axis ${op.axis}`, seen, `an axis ${op.axis}`);
    }
    this.#expectTypes("parameters of the body", op.body.params, []);
    this.#expectTypes("yields of the body", op.body.yields, op.results);
    this.#expectTypes("values of rows left out", op.elseValues, op.results);
    walkOps(op.body, (inner) => {
      this.#op = inner;
      verifyRowLocal(inner, op.axis, this.report);
    });
    this.#op = op;
  }
}

/** Every rule of nodes.ts and primitives.ts that a kernel breaks, in order of its text; empty for a correct kernel. */
export function findViolations(kernel: TileKernel): readonly Diagnostic[] {
  const verifier = new Verifier(kernel);
  verifier.run();
  return verifier.found;
}

/**
 * Checks a kernel.
 * @param stage what ran last, named in the error
 * @throws InternalError TW91xx with all violations, each with its op's text
 */
export function verifyKernel(kernel: TileKernel, stage?: string): void {
  const found = findViolations(kernel);
  if (found.length === 0) return;
  const after = stage === undefined ? "" : ` (after ${stage})`;
  throw new InternalError(found.map((d) => ({ ...d, message: `${d.message}${after}` })));
}
