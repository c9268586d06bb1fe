/** [dsl/frontend] The cheap checks that `kernel()` makes at definition: does the record contradict itself. Source is read only to show where. */
import { DTYPE_NAMES, isDType } from "../core/dtype.ts";
import { type Diagnostic, type ErrorCode, KernelSourceError } from "../core/errors.ts";
import type { DefinitionSite, KernelDefinition } from "../definition.ts";
import { locate } from "./locate.ts";
import { SourceCache } from "./source-cache.ts";

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
  const problems: Diagnostic[] = [];
  const report = (code: ErrorCode, message: string, parts: Omit<Diagnostic, "code" | "message">) =>
    problems.push({ code, message: `kernel '${definition.name}': ${message}`, ...parts });
  checkNames(definition, report);
  checkTensors(definition, report);
  checkConfig(definition, report);
  checkFunctions(definition, report);
  if (problems.length === 0) return;
  const place = placeOf(definition.site);
  throw new KernelSourceError(problems.map((problem) => ({ ...problem, ...place })));
}

/** The call of `kernel()`, when the stack names a file that can be read. */
function placeOf(site: DefinitionSite): Pick<Diagnostic, "location" | "source"> {
  if (site.text !== undefined) return {};
  const found = locate(site, new SourceCache());
  if (found === undefined) return {};
  const { file, line, column } = found;
  const end = column + "kernel".length;
  const span = { file: file.display, line, col: column, endLine: line, endCol: end };
  return { location: { span }, source: file.text };
}

type Report = (
  code: ErrorCode,
  message: string,
  parts: Omit<Diagnostic, "code" | "message">,
) => void;

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
    if (param.kind === "scalar" && !["f32", "i32", "u32", "bool"].includes(param.dtype)) {
      report("TW1003", `the scalar '${name}' has a dtype that cannot be passed by value`, {
        seen: param.dtype,
        expected: "f32, i32, u32 or bool",
        remedy: "pass it as f32 or i32 and cast() it in the body",
      });
    }
    if (param.kind !== "tensor") continue;
    if (!isDType(param.dtype) && !Object.hasOwn(definition.dtypes, param.dtype)) {
      report("TW1003", `the tensor '${name}' has an unknown dtype`, {
        seen: `'${param.dtype}'`,
        expected: `one of ${DTYPE_NAMES.join(", ")}, or a variable of dtypes`,
        remedy: `add ${param.dtype}: ["f32", "f16"] to dtypes, or name a dtype`,
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
      seen: String(value),
      expected: "a finite number, or true or false",
      remedy: "pass other values as scalar() or fnParam() params",
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
