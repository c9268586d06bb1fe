/** [dsl/frontend] Checked access to arguments that name things: axes, dims, dtypes, tensors, index lists, options. */
import { DTYPE_NAMES, type DType, isDType } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type { RangeHints, TensorParam } from "../ir/nodes.ts";
import { type Axis, formatType, type Value } from "../ir/types.ts";
import { type AbstractValue, describe, knownNumber, knownValue } from "./abstract-value.ts";
import { type Argument, Arguments, type Options } from "./arguments.ts";
import { isData } from "./coerce.ts";
import * as memory from "./emit-memory.ts";
import * as tiles from "./emit-tile.ts";

export class NamedArguments extends Arguments {
  /** Set where the last argument is an options object that was taken already. */
  #options = 0;

  /** All arguments that are not the options, as scalar integers. */
  integerArguments(): readonly AbstractValue[] {
    return this.args
      .slice(0, this.args.length - this.#options)
      .map((_, i) => this.scalarInteger(i, `argument ${i + 1}`));
  }

  /** Name of an axis of the tile at `tileIndex`. */
  axis(index: number, tileIndex: number): string {
    const given = this.argument(index, "axis");
    const name = given.kind === "dim" ? given.name : this.string(index, "axis");
    return tiles.requireAxis(
      this.lw,
      this.tile(tileIndex, "x"),
      name,
      this.given(index, "axis").loc,
    ).name;
  }

  /** A new axis name, written as a string. */
  axisName(index: number): string {
    const name = this.string(index, "name");
    if (/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return name;
    return this.wrong(
      index,
      "name",
      "letters, digits and underscores, starting with a letter",
      "choose such a name",
    );
  }

  /** A dim with a size known at compile time. */
  dim(index: number, what: string): Axis {
    const { value, loc } = this.given(index, what);
    const good = this.lw.good(value);
    if (good.kind === "dim") {
      if (good.size === undefined) return this.#unsized(good.name, loc);
      if (Number.isInteger(good.size) && good.size > 0) return { name: good.name, size: good.size };
      return this.wrong(
        index,
        what,
        "a whole size of at least 1: a tile has elements along every axis",
        good.size === 0
          ? `walk over ${good.name} in blocks of a config value, for (const i of range(cdiv(${good.name}, B))), or launch nothing where it is 0`
          : "use a whole number as the config value",
      );
    }
    const plain = knownNumber(good);
    if (plain !== undefined) {
      return this.wrong(
        index,
        what,
        "a dim, which has a name and a size: a config value, a fixed dim of a tensor, or axis(name, size)",
        `a plain number has no axis name: pass a config value, or give it one: axis("rows", ${plain > 0 && Number.isInteger(plain) ? plain : 16})`,
      );
    }
    return this.wrong(
      index,
      what,
      "a dim of at least 1: a config value, a fixed dim of a tensor, or axis(name, size)",
      'give the size a name: axis("rows", 16)',
    );
  }

  #unsized(name: string, loc: Location): never {
    return this.fail(
      "TW1203",
      {
        message: `the size of the dim ${name} is not known at compile time`,
        seen: `${name}, bound at launch`,
        expected: "a size fixed at compile time, since tiles have fixed sizes",
        remedy: `list it: specialize: ["${name}"]; or walk over it in blocks of a config value`,
      },
      loc,
    );
  }

  /** All further arguments as dims. */
  dims(from: number): readonly Axis[] {
    return this.args.slice(from).map((_, i) => this.dim(from + i, `dim ${i + 1}`));
  }

  dtype(index: number): DType {
    const good = this.argument(index, "dtype");
    if (good.kind === "dtype") return good.dtype;
    const known = knownValue(good);
    if (isDType(known)) return known;
    return this.wrong(
      index,
      "dtype",
      `a dtype variable, or one of ${DTYPE_NAMES.join(", ")}`,
      'write for example "f32"',
    );
  }

  tensor(index: number, access: "read" | "written" | "read and written"): TensorParam {
    const good = this.argument(index, "tensor");
    if (good.kind !== "tensor")
      return this.wrong(
        index,
        "tensor",
        "a tensor param of the kernel",
        "pass the param itself, not a tile loaded from it",
      );
    const { param } = good;
    const refused = access === "read" ? "out" : access === "written" ? "in" : undefined;
    const allowed = refused === undefined ? param.access === "inout" : param.access !== refused;
    if (allowed) return param;
    const maker = { in: "tensor", out: "out", inout: "inout" }[param.access];
    return this.fail(
      "TW1204",
      {
        message: `${param.name} cannot be ${access}`,
        seen: `${param.name}: ${maker}(…)`,
        expected:
          access === "read"
            ? "tensor(…) or inout(…)"
            : access === "written"
              ? "out(…) or inout(…)"
              : "inout(…)",
        remedy: `declare it with ${access === "written" ? "out" : "inout"}("${param.dtype}", …)`,
      },
      this.given(index, "tensor").loc,
    );
  }

  indices(index: number, tensor: TensorParam): memory.Addressed {
    const { value, loc } = this.given(index, "at");
    const good = this.lw.good(value);
    if (good.kind !== "array")
      return this.wrong(
        index,
        "at",
        "a list with one index for each dim",
        "write [ … ] around the indices",
      );
    return memory.address(
      this.lw,
      tensor,
      good.items.map((item) => ({ value: item, loc })),
      loc,
    );
  }

  gatherIndex(index: number): Value {
    const { value, loc } = this.given(index, "index");
    const good = this.lw.good(value);
    if (good.kind === "value" && good.value.type.dtype === "i32" && good.value.type.axes.length > 0)
      return good.value;
    const scalar = isData(good) && (good.kind !== "value" || good.value.type.axes.length === 0);
    return this.fail(
      "TW1205",
      {
        message: "gather() needs a tile of i32 indices",
        seen: describe(good),
        expected: "an i32 tile",
        remedy: scalar
          ? "index with the scalar itself to take one element"
          : 'convert the tile: cast(x, "i32")',
      },
      loc,
    );
  }

  expectOnlyAxis(index: Value, dim: Axis): void {
    const [axis] = index.type.axes;
    if (index.type.axes.length === 1 && axis?.name === dim.name && axis.size === dim.size) return;
    this.fail("TW1206", {
      message: "the dim given to gather() is not the axis of its index",
      seen: `an index ${formatType(index.type)} and the dim ${dim.name}=${dim.size}`,
      expected: "the index's only axis, or no second argument",
      remedy: "leave the second argument out",
    });
  }

  /** The options argument at `index`; only the listed fields may be in it. */
  options(index: number, allowed: readonly string[]): Options {
    const given = this.optional(index);
    if (given === undefined) return {};
    if (given.kind !== "object")
      return this.wrong(
        index,
        "options",
        `an object with ${allowed.join(", ")}`,
        "write { name: value }",
      );
    const { loc } = this.given(index, "options");
    for (const name of Object.keys(given.fields)) {
      if (allowed.includes(name)) continue;
      this.fail(
        "TW1207",
        {
          message: `${this.name}() has no option '${name}'`,
          seen: `{ ${Object.keys(given.fields).join(", ")} }`,
          expected: allowed.join(", "),
          remedy: `remove '${name}'`,
        },
        loc,
      );
    }
    const present = Object.entries(given.fields).filter(
      ([, v]) => !(v.kind === "const" && v.value === undefined),
    );
    return Object.fromEntries(present.map(([name, value]) => [name, { value, loc }]));
  }

  /** Options that stand last, after a variable number of arguments. */
  trailingOptions(allowed: readonly string[]): Options {
    const last = this.args.at(-1);
    if (last === undefined || last.value.kind !== "object") return {};
    this.#options = 1;
    return this.options(this.args.length - 1, allowed);
  }

  misuse(expected: string): never {
    return this.fail("TW1201", {
      message: `${this.name}() is called the wrong way`,
      seen: `${this.args.length} arguments`,
      expected,
      remedy: `write ${expected}`,
    });
  }

  positive(value: AbstractValue, what: string): void {
    const known = knownNumber(value);
    if (known === undefined || known > 0) return;
    this.fail("TW1208", {
      message: `${what} must be above 0`,
      seen: String(known),
      expected: "a step above 0",
      remedy: "count upwards, and index with end - 1 - i to go backwards",
    });
  }

  hints(options: Options): RangeHints {
    const entries = Object.entries(options).map(([name, { value, loc }]) => {
      const known = knownNumber(this.lw.good(value));
      if (known !== undefined && Number.isInteger(known) && known >= 1)
        return [name, known] as const;
      return this.fail(
        "TW1202",
        {
          message: `'${name}' of ${this.name}() is of the wrong kind`,
          seen: describe(value),
          expected: "an integer of at least 1, known at compile time",
          remedy: "use a number or a config value",
        },
        loc,
      );
    });
    return Object.fromEntries(entries);
  }

  /** A list of axis names in an option; one alone stands for a list of it. */
  axisList({ value, loc }: Argument, option = "axes"): readonly string[] {
    const good = this.lw.good(value);
    const items = good.kind === "array" ? good.items : option === "axes" ? [] : [good];
    const names = items.map((item) => (item.kind === "dim" ? item.name : knownValue(item)));
    if (names.length > 0 && names.every((name) => typeof name === "string")) return names;
    return this.fail(
      "TW1202",
      {
        message: `'${option}' of ${this.name}() is of the wrong kind`,
        seen: describe(good),
        expected: "a list of axis names",
        remedy: `write { ${option}: ["A", "B"] }`,
      },
      loc,
    );
  }

  /** A hint that is one of a few strings. */
  choice<N extends string, C extends string>(
    options: Options,
    name: N,
    choices: readonly C[],
  ): { readonly [K in N]?: C } {
    const given = options[name];
    if (given === undefined) return {};
    const known = knownValue(this.lw.good(given.value));
    const chosen = choices.find((choice) => choice === known);
    if (chosen !== undefined) return { [name]: chosen } as { readonly [K in N]?: C };
    return this.fail(
      "TW1202",
      {
        message: `'${name}' of ${this.name}() is of the wrong kind`,
        seen: describe(given.value),
        expected: choices.map((c) => `"${c}"`).join(", "),
        remedy: "use one of those, or leave the hint out",
      },
      given.loc,
    );
  }
}
