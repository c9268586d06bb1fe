/** [dsl/frontend] Checked access to the arguments of one call of an op. What the op emits is call.ts. */
import { DTYPES, type DType, isFloat } from "../core/dtype.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { Location } from "../core/location.ts";
import type { Value } from "../ir/types.ts";
import type { OpRecord } from "../ops/define-op.ts";
import {
  type AbstractValue,
  describe,
  knownNumber,
  knownValue,
  type Place,
  runtime,
  UNDEFINED,
} from "./abstract-value.ts";
import {
  dtypeOf,
  isData,
  materialize,
  materializeAny,
  materializeBool,
  materializeIndex,
  requireData,
} from "./coerce.ts";
import type { Lowering } from "./lowering.ts";
import type { Complaint } from "./problems.ts";

export interface Argument {
  readonly value: AbstractValue;
  readonly loc: Location;
}
/** The fields of an options argument that were given. */
export type Options = Readonly<Record<string, Argument>>;

/** What messages say of the op that is called. */
export type Callee = Pick<OpRecord, "name" | "signature">;

/** Checked access to the arguments of one call. */
export class Arguments {
  readonly lw: Lowering;
  readonly op: Callee;
  readonly args: readonly Argument[];
  readonly place: Place;

  constructor(lw: Lowering, op: Callee, args: readonly Argument[], place: Place) {
    this.lw = lw;
    this.op = op;
    this.args = args;
    this.place = place;
  }

  get name(): string {
    return this.op.name;
  }

  fail(code: ErrorCode, complaint: Complaint, loc: Location = this.place.loc): never {
    return this.lw.fail(code, loc, complaint);
  }

  count(min: number, max = min): void {
    if (this.args.length >= min && this.args.length <= max) return;
    this.fail("TW1201", {
      message: `${this.name}() takes ${min === max ? min : `${min} to ${max}`} argument${max === 1 ? "" : "s"}`,
      seen: `${this.args.length}`,
      expected: min === max ? String(min) : `${min} to ${max}`,
      remedy: `call it as ${this.op.signature}`,
    });
  }

  given(index: number, what: string): Argument {
    const found = this.args[index];
    if (found !== undefined) return found;
    return this.fail("TW1201", {
      message: `${this.name}() needs '${what}' as argument ${index + 1}`,
      seen: `${this.args.length} argument${this.args.length === 1 ? "" : "s"}`,
      expected: `at least ${index + 1}`,
      remedy: `call it as ${this.op.signature}`,
    });
  }

  wrong(index: number, what: string, expected: string, remedy: string): never {
    const { value, loc } = this.given(index, what);
    return this.fail(
      "TW1202",
      {
        message: `'${what}' of ${this.name}() is of the wrong kind`,
        seen: describe(this.lw.good(value)),
        expected,
        remedy,
      },
      loc,
    );
  }

  argument(index: number, what: string): AbstractValue {
    return this.lw.good(this.given(index, what).value);
  }

  /** The argument, or undefined where it was left out or is the constant undefined. */
  optional(index: number): AbstractValue | undefined {
    const found = this.args[index];
    if (found === undefined) return undefined;
    const good = this.lw.good(found.value);
    return good.kind === "const" && good.value === undefined ? undefined : good;
  }

  /** The one argument of a one-argument op. */
  only(what: string): AbstractValue {
    this.count(1);
    return this.argument(0, what);
  }

  /** The one argument, which is a float or a number known at compile time. */
  float(what: string): AbstractValue {
    const good = this.only(what);
    requireData(this.lw, good, `'${what}' of ${this.name}()`, this.place.loc);
    const dtype = dtypeOf(good);
    if (dtype !== undefined && !isFloat(dtype)) {
      this.fail("TW1130", {
        message: `${this.name} does not work on ${dtype}`,
        seen: describe(good),
        expected: "a float",
        remedy: 'convert it: cast(x, "f32")',
      });
    }
    return good;
  }

  tile(index: number, what: string): Value {
    const { value, loc } = this.given(index, what);
    requireData(this.lw, value, `'${what}' of ${this.name}()`, loc);
    return materializeAny(this.lw, value, { loc });
  }

  typed(index: number, what: string, dtypes: readonly DType[]): AbstractValue {
    const { value, loc } = this.given(index, what);
    requireData(this.lw, value, `'${what}' of ${this.name}()`, loc);
    const dtype = dtypeOf(value);
    if (dtype !== undefined && dtypes.includes(dtype)) return value;
    const known = knownValue(value);
    const [first] = dtypes;
    if (dtype === undefined && known !== undefined && first !== undefined)
      return runtime(materialize(this.lw, value, first, { loc }));
    return this.fail(
      "TW1130",
      {
        message: `${this.name} does not work on ${dtype ?? "this"}`,
        seen: describe(value),
        expected: dtypes.join(", "),
        remedy: `convert it: cast(x, "${first}")`,
      },
      loc,
    );
  }

  typedTile(index: number, what: string, dtypes: readonly DType[]): Value {
    return materializeAny(this.lw, this.typed(index, what, dtypes), this.place);
  }

  /** A tile of booleans. */
  mask(index: number, what: string): Value {
    const { value, loc } = this.given(index, what);
    return materializeBool(this.lw, value, `'${what}' of ${this.name}()`, loc);
  }

  /** A boolean: constant, scalar or tile. */
  condition(index: number, what: string): AbstractValue {
    const { value, loc } = this.given(index, what);
    const good = this.lw.good(value);
    return typeof knownValue(good) === "boolean"
      ? good
      : runtime(materializeBool(this.lw, good, `'${what}' of ${this.name}()`, loc));
  }

  scalarCondition(index: number, what: string): AbstractValue {
    const cond = this.condition(index, what);
    if (cond.kind !== "value" || cond.value.type.axes.length === 0) return cond;
    return this.wrong(
      index,
      what,
      "a scalar boolean, the same for the whole tile",
      "choose elementwise with where(), or reduce the mask: some(mask, axis)",
    );
  }

  /** An integer known at compile time. */
  integer(index: number, what: string, min = -Infinity, max = Infinity): number {
    const { value } = this.given(index, what);
    const known = knownNumber(this.lw.good(value));
    if (known !== undefined && Number.isInteger(known) && known >= min && known <= max)
      return known;
    const range =
      max === Infinity
        ? min === -Infinity
          ? ""
          : ` of at least ${min}`
        : ` from ${min} to ${max}`;
    return this.wrong(
      index,
      what,
      `an integer${range}, known at compile time`,
      "use a number, a config value, or a dim that `specialize` lists",
    );
  }

  /** Scalars or tiles of integers; all arguments. */
  integers(
    ...names: readonly [string, ...string[]]
  ): readonly [AbstractValue, AbstractValue, AbstractValue, AbstractValue] {
    this.count(names.length);
    const list = names.map((what, i) => this.#integer(i, what));
    const at = (i: number): AbstractValue => list[i] ?? UNDEFINED;
    return [at(0), at(1), at(2), at(3)];
  }

  #integer(index: number, what: string): AbstractValue {
    const { value, loc } = this.given(index, what);
    const good = this.lw.good(value);
    const dtype = dtypeOf(good);
    const known = knownNumber(good);
    if (
      isData(good) &&
      (dtype !== undefined
        ? DTYPES[dtype].kind === "int"
        : known === undefined || Number.isInteger(known))
    )
      return good;
    return this.fail(
      "TW1128",
      {
        message: `'${what}' of ${this.name}() must be an integer`,
        seen: describe(good),
        expected: "an integer: i32, u32, a dim or a whole number",
        remedy: 'convert it: cast(x, "i32")',
      },
      loc,
    );
  }

  scalarInteger(index: number, what: string): AbstractValue {
    const { value, loc } = this.given(index, what);
    if (knownNumber(this.lw.good(value)) === undefined)
      materializeIndex(this.lw, value, `'${what}' of ${this.name}()`, loc);
    return this.#integer(index, what);
  }

  string(index: number, what: string): string {
    const known = knownValue(this.argument(index, what));
    return typeof known === "string"
      ? known
      : this.wrong(index, what, "a string", `write it in place: "${what}"`);
  }
}
