/** [dsl/frontend] Follows the free names of a kernel to module constants, functions and ops, also across files. */
import type { Location } from "../core/location.ts";
import { similarName } from "../core/similar-name.ts";
import { OPS } from "../ops/registry.ts";
import { freeNames, namesBeside } from "./free-names.ts";
import type { HirDeclaration, HirExpr, HirReference, HirSpan } from "./hir.ts";
import type { Declaration, Imported } from "./module-index.ts";
import type { Reading } from "./read-source.ts";
import { resolveModule } from "./resolve-module.ts";
import type { SourceFile } from "./source-cache.ts";
import { sourceSpan } from "./syntax.ts";

const GLOBALS: readonly string[] = ["Math", "Infinity", "NaN", "undefined"];
const imported = (op: string): string => `import it: import { ${op} } from "tilewright"`;
const INVALID: HirReference = { kind: "invalid" };

type Chain = NonNullable<Location["chain"]>;
/** Where a name is used and through which declarations it was reached. */
interface Use {
  readonly file: SourceFile;
  readonly span: HirSpan;
  readonly chain: Chain;
  /** The function or value that it is used in. */
  readonly within: HirExpr;
}

/** Collects declarations for one program; each is converted once. */
export class CaptureResolver {
  readonly #reading: Reading;
  readonly #declarations: HirDeclaration[] = [];
  readonly #byKey = new Map<string, number>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  get declarations(): readonly HirDeclaration[] {
    return this.#declarations;
  }

  /** Adds the kernel's body or a function given to it, and everything it captures. */
  addRoot(name: string, file: SourceFile, span: HirSpan, value: HirExpr): number {
    return this.#add(name, file, span, () => value, []);
  }

  #add(
    name: string,
    file: SourceFile,
    span: HirSpan,
    convert: () => HirExpr,
    chain: Chain,
  ): number {
    const index = this.#declarations.length;
    const { display } = file;
    this.#declarations.push({
      name,
      file: display,
      span,
      value: { kind: "invalid", span },
      captures: {},
    });
    this.#byKey.set(`${file.path}#${name}#${span.join(":")}`, index);
    const value = convert();
    const captures: Record<string, HirReference> = {};
    for (const [free, at] of freeNames(value))
      captures[free] = this.#resolve(file, free, { file, span: at, chain, within: value });
    this.#declarations[index] = { name, file: display, span, value, captures };
    return index;
  }

  #resolve(file: SourceFile, name: string, use: Use): HirReference {
    const declaration = file.index.declarations.get(name);
    if (declaration !== undefined) return this.#declare(file, declaration, use);
    const source = file.index.imports.get(name);
    if (source !== undefined) return this.#follow(file, source, use, new Set());
    if (GLOBALS.includes(name)) return { kind: "global", name };
    return this.#fail(use, "TW1101", {
      message: `'${name}' is not something a kernel can capture`,
      seen: `the name '${name}', which this file neither declares at its top level nor imports`,
      expected:
        "params, dims and config of the kernel, its own variables, module-level constants and functions, imports, and Math",
      remedy:
        REMEDIES[name] ??
        (OPS.has(name) ? imported(name) : undefined) ??
        this.#meant(file, name, use) ??
        `move '${name}' to the top level as a const or function, or pass it as a param or config value`,
    });
  }

  /** A remedy where a name that is known looks like the one that was written. */
  #meant({ index }: SourceFile, name: string, { within }: Use): string | undefined {
    const here = [
      ...namesBeside(within, name),
      ...index.declarations.keys(),
      ...index.imports.keys(),
    ];
    const similar = similarName(name, [...here, ...GLOBALS, ...OPS.keys()]);
    if (similar === undefined) return undefined;
    const isThere = here.includes(similar) || GLOBALS.includes(similar);
    return `did you mean '${similar}'?${isThere ? "" : ` Then ${imported(similar)}`}`;
  }

  #declare(file: SourceFile, declaration: Declaration, use: Use): HirReference {
    const { name, span } = declaration;
    if (declaration.kind === "other") {
      return this.#fail(use, "TW1102", {
        message: `'${name}' is ${declaration.what}, which a kernel cannot capture`,
        seen: `'${name}' of ${file.display}:${span[0]}`,
        expected:
          "a const with a value, or a function: a kernel depends on its source, config and dtypes alone",
        remedy: `declare it with const, or pass '${name}' as a param or config value`,
      });
    }
    const known = this.#byKey.get(`${file.path}#${name}#${span.join(":")}`);
    if (known !== undefined) return { kind: "declaration", index: known };
    this.#reading.sources.add(file);
    const chain = [{ callee: name, span: sourceSpan(use.file.display, use.span) }, ...use.chain];
    const convert = () => declaration.convert(this.#reading.problems, file.display);
    return { kind: "declaration", index: this.#add(name, file, span, convert, chain) };
  }

  /** Resolves a name imported by (or exported again from) `file`. */
  #follow(file: SourceFile, imported: Imported, use: Use, visited: Set<string>): HirReference {
    const target = resolveModule(file, imported.specifier, this.#reading.cache);
    if (target.kind === "missing") {
      return this.#fail(use, "TW1103", {
        message: `the module '${imported.specifier}' cannot be found`,
        seen: `import from '${imported.specifier}' in ${file.display}:${imported.span[0]}`,
        expected: "a relative path to a source file, or an installed package with a file to read",
        remedy:
          "import by relative path: aliases of bundlers are not followed, and a bundle's map leaves out files that only re-export",
      });
    }
    if (target.kind === "language") return this.#language(imported.name, use);
    if (imported.name === "*") return this.#namespace(target.file, imported, use);
    const found = this.#exported(target.file, imported.name, use, visited);
    if (found !== undefined) return found;
    return this.#fail(use, "TW1104", {
      message: `'${imported.specifier}' has no export '${imported.name}' that a kernel can use`,
      seen: `${target.file.display}, which exports ${[...target.file.index.exports.keys()].join(", ") || "nothing by name"}`,
      expected: `an exported const or function '${imported.name}'`,
      remedy:
        "export it by name from that file; default exports and destructured exports are not followed",
    });
  }

  #language(name: string, use: Use): HirReference {
    if (name === "*") {
      const members = [...OPS.keys()].map((op) => [op, { kind: "op", name: op }] as const);
      return { kind: "namespace", name: "the language", members: Object.fromEntries(members) };
    }
    if (OPS.has(name)) return { kind: "op", name };
    return this.#fail(use, "TW1105", {
      message: `'${name}' is not an op`,
      seen: `the import '${name}' used inside a kernel`,
      expected: "an op of the language, such as load, dot or store",
      remedy: `use '${name}' outside of the kernel's body; a kernel calls ops and its own functions only`,
    });
  }

  #namespace(file: SourceFile, imported: Imported, use: Use): HirReference {
    this.#reading.sources.add(file);
    const members: Record<string, HirReference> = {};
    for (const name of file.index.exports.keys()) {
      const local = file.index.exports.get(name);
      const declaration =
        local !== undefined && "local" in local
          ? file.index.declarations.get(local.local)
          : undefined;
      if (declaration?.kind === "other") continue;
      const found = this.#exported(file, name, use, new Set());
      if (found !== undefined) members[name] = found;
    }
    return { kind: "namespace", name: imported.specifier, members };
  }

  #exported(
    file: SourceFile,
    name: string,
    use: Use,
    visited: Set<string>,
  ): HirReference | undefined {
    const key = `${file.path}#${name}`;
    if (visited.has(key)) return undefined;
    visited.add(key);
    this.#reading.sources.add(file);
    const found = file.index.exports.get(name);
    if (found !== undefined && "specifier" in found) return this.#follow(file, found, use, visited);
    if (found !== undefined) {
      const declaration = file.index.declarations.get(found.local);
      if (declaration !== undefined) return this.#declare(file, declaration, use);
      const imported = file.index.imports.get(found.local);
      return imported === undefined ? undefined : this.#follow(file, imported, use, visited);
    }
    for (const specifier of file.index.starExports) {
      const target = resolveModule(file, specifier, this.#reading.cache);
      if (target.kind === "language" && OPS.has(name)) return { kind: "op", name };
      const through =
        target.kind === "file" ? this.#exported(target.file, name, use, visited) : undefined;
      if (through !== undefined) return through;
    }
    return undefined;
  }

  #fail(
    use: Use,
    code: `TW${number}`,
    complaint: Parameters<Reading["problems"]["add"]>[1],
  ): HirReference {
    const location: Location = {
      span: sourceSpan(use.file.display, use.span),
      ...(use.chain.length === 0 ? {} : { chain: use.chain }),
    };
    this.#reading.problems.add(code, complaint, location);
    return INVALID;
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  console: "use print(label, value), which also works on devices",
  Date: "pass the time as a scalar param",
  process: "read the environment on the host and pass a config value",
  globalThis: "pass the value as a param or config value",
  Array: "write the array out, or build a tile with zeros(), full() or iota()",
  Number: "use cast(x, dtype)",
  String: "strings exist only as labels and option values",
  Boolean: "compare with !== 0",
};
