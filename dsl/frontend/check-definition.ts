/** [dsl/frontend] The cheap checks that `kernel()` makes at definition: does the record contradict itself. Source is read only to show where. */
import { DTYPE_NAMES, isDType } from "../core/dtype.ts";
import { type Diagnostic, type ErrorCode, KernelSourceError } from "../core/errors.ts";
import { didYouMeanDType } from "../core/similar-name.ts";
import type { KernelDefinition } from "../definition.ts";
import { SCHEDULE_REMEDY } from "../schedule.ts";
import { type Located, locate } from "./locate.ts";
import { SourceCache } from "./source-cache.ts";

/** Dtypes that a scalar is passed as. */
const SCALAR_DTYPES: readonly string[] = ["f32", "i32", "u32", "bool"];
const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Names of the dims of all tensors, in order of first appearance. */
export function dimNames(definition: Pick<KernelDefinition, "params">): readonly string[] {
  const names = new Set<string>();
  for (const param of Object.values(definition.params)) {
    if (param.kind !== "tensor") continue;
    for (const dim of param.shape) if (typeof dim === "string") names.add(dim);
  }
  return [...names];
}

/** @throws KernelSourceError TW1001-TW1008 with everything that is wrong, at the call of `kernel()` */
export function checkDefinition(definition: KernelDefinition): void {
  const problems: (Diagnostic & Pick<Parts, "param">)[] = [];
  const report: Report = (code, message, parts) =>
    problems.push({ code, message: `kernel '${definition.name}': ${message}`, ...parts });
  checkNames(definition, report);
  checkTensors(definition, report);
  checkConfig(definition, report);
  checkFunctions(definition, report);
  if (problems.length === 0) return;
  const { site } = definition;
  const found = site.text === undefined ? locate(site, new SourceCache()) : undefined;
  throw new KernelSourceError(
    problems.map(({ param, ...problem }) => ({ ...problem, ...(found && placeOf(found, param)) })),
  );
}

/** The dtype of the param in the record behind the call of `kernel()`, else that call; nothing is parsed for it. */
function placeOf(
  { file, line, column }: Located,
  param: Parts["param"],
): Pick<Diagnostic, "location" | "source"> {
  const at = (atLine: number, col: number, length: number) => ({
    location: {
      span: { file: file.display, line: atLine, col, endLine: atLine, endCol: col + length },
    },
    source: file.text,
  });
  const lines = file.text.split("\n");
  if (param === undefined || line === 0) return at(line, column, "kernel".length);
  const [name, dtype] = param;
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
  const written = new RegExp(`(?<![\\w.$])${name}\\s*:\\s*\\w+\\(\\s*(["'\`])${dtype}\\1`, "d");
  if (!IDENTIFIER.test(name) || !/^\w+$/.test(dtype)) return at(line, column, "kernel".length);
  const match = written.exec(file.text.slice(start));
  if (match === null) return at(line, column, "kernel".length);
  const end = start + match.index + match[0].length;
  const before = file.text.slice(0, end - dtype.length - 2).split("\n");
  return at(before.length, (before.at(-1)?.length ?? 0) + 1, dtype.length + 2);
}

/** A problem's own words. `param`: the name and the dtype of the param that it is about, which may be found in the text. */
interface Parts extends Omit<Diagnostic, "code" | "message"> {
  readonly param?: readonly [name: string, dtype: string];
}

type Report = (code: ErrorCode, message: string, parts: Parts) => void;

function checkNames(definition: KernelDefinition, report: Report): void {
  const groups: readonly (readonly [string, readonly string[]])[] = [
    ["param", Object.keys(definition.params)],
    ["dim", dimNames(definition)],
    ["dtype variable", Object.keys(definition.dtypes)],
    ["config value", Object.keys(definition.config)],
  ];
  if (!IDENTIFIER.test(definition.name)) {
    report("TW1001", "the name is not an identifier", {
      seen: `name: ${JSON.stringify(definition.name)}`,
      expected: "letters, digits and underscores, starting with a letter",
      remedy: "choose a name such as 'rms_norm'; it names the entry point in generated text",
    });
  }
  const owner = new Map<string, string>();
  for (const [what, names] of groups) {
    for (const name of names) {
      if (!IDENTIFIER.test(name)) {
        report("TW1001", `the ${what} '${name}' is not an identifier`, {
          seen: JSON.stringify(name),
          expected: "letters, digits and underscores, starting with a letter",
          remedy: `rename the ${what}`,
        });
      }
      const other = owner.get(name);
      if (other === undefined) owner.set(name, what);
      else {
        report("TW1002", `'${name}' is both a ${other} and a ${what}`, {
          seen: `a ${other} '${name}' and a ${what} '${name}'`,
          expected:
            "one meaning for each name, since the body and generated text use them side by side",
          remedy: `rename the ${what}`,
        });
      }
    }
  }
}

function checkTensors(definition: KernelDefinition, report: Report): void {
  for (const [name, param] of Object.entries(definition.params)) {
    if (param.kind === "scalar" && !SCALAR_DTYPES.includes(param.dtype)) {
      report("TW1003", `the scalar '${name}' has a dtype that cannot be passed by value`, {
        seen: `'${param.dtype}'`,
        expected: SCALAR_DTYPES.join(", "),
        remedy: `${isDType(param.dtype) ? "" : didYouMeanDType(param.dtype, SCALAR_DTYPES)}pass it as f32 or i32 and cast() it in the body`,
        param: [name, param.dtype],
      });
    }
    if (param.kind !== "tensor") continue;
    if (!isDType(param.dtype) && !Object.hasOwn(definition.dtypes, param.dtype)) {
      report("TW1003", `the tensor '${name}' has an unknown dtype`, {
        seen: `'${param.dtype}'`,
        expected: `one of ${DTYPE_NAMES.join(", ")}, or a variable of dtypes`,
        remedy: `${didYouMeanDType(param.dtype, [...Object.keys(definition.dtypes), ...DTYPE_NAMES])}add ${param.dtype}: ["f32", "f16"] to dtypes, or name a dtype`,
        param: [name, param.dtype],
      });
    }
    for (const dim of param.shape) {
      if (typeof dim === "string" || (Number.isInteger(dim) && dim > 0)) continue;
      report("TW1004", `the tensor '${name}' has a dim that is no size`, {
        seen: String(dim),
        expected: "a name, or an integer above 0",
        remedy: "name the dim, and its size is taken from the tensor at launch",
      });
    }
  }
  for (const [name, choices] of Object.entries(definition.dtypes)) {
    if (isDType(name) || choices.length === 0 || !choices.every(isDType)) {
      report("TW1003", `the dtype variable '${name}' has no valid list of dtypes`, {
        seen: `${name}: ${JSON.stringify(choices)}`,
        expected: `a name that is no dtype, and a list of ${DTYPE_NAMES.join(", ")}`,
        remedy: 'write for example dtypes: { T: ["f32", "f16"] }',
      });
    }
  }
}

function checkConfig(definition: KernelDefinition, report: Report): void {
  for (const [key, value] of Object.entries(definition.config)) {
    if (typeof value === "boolean" || Number.isFinite(value)) continue;
    report("TW1005", `the config value '${key}' is neither a number nor a boolean`, {
      seen: typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value)),
      expected: "a finite number, or true or false",
      remedy:
        key === "schedule" ? SCHEDULE_REMEDY : "pass other values as scalar() or fnParam() params",
    });
  }
  for (const [key, values] of Object.entries(definition.tune)) {
    const initial = definition.config[key];
    if (initial === undefined) {
      report("TW1006", `tune lists '${key}', which config does not have`, {
        seen: `tune: { ${key}: [...] }`,
        expected: `one of ${Object.keys(definition.config).join(", ") || "no keys, since config is empty"}`,
        remedy: `give ${key} a default in config`,
      });
    } else if (values.some((value) => typeof value !== typeof initial)) {
      report("TW1006", `tune gives '${key}' values of another type than config`, {
        seen: `${JSON.stringify(values)} beside the default ${String(initial)}`,
        expected: `${typeof initial}s`,
        remedy: "use one type for all values",
      });
    }
  }
  const dims = dimNames(definition);
  for (const dim of definition.specialize) {
    if (dims.includes(dim)) continue;
    report("TW1007", `specialize lists '${dim}', which no tensor has as a dim`, {
      seen: `specialize: ["${dim}"]`,
      expected: `some of ${dims.join(", ") || "no dims, since no tensor names any"}`,
      remedy: "name a dim of a tensor, or make it a config value",
    });
  }
}

/** What TypeScript would refuse, for records from JavaScript. */
function checkFunctions(definition: KernelDefinition, report: Report): void {
  const { grid, when } = definition as { readonly grid?: unknown; readonly when?: unknown };
  if (typeof grid !== "function") {
    report("TW1008", "the record has no grid function", {
      seen: grid === undefined ? "no grid" : `grid: ${JSON.stringify(grid)}`,
      expected: "a function of the dims and the config that gives the number of programs",
      remedy: "write for example grid: ({ M }, { BM }) => cdiv(M, BM), or grid: () => 1",
    });
  }
  if (when !== undefined && typeof when !== "function") {
    report("TW1008", "when is not a function", {
      seen: `when: ${JSON.stringify(when)}`,
      expected: "a function of the config that gives true or false",
      remedy: "write for example when: ({ BM }) => BM >= 16",
    });
  }
}
