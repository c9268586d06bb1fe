/** [test] The laws of the house: order of the rooms, doors, homes of packages, file heads and sizes. Prints each offending edge. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";

const ROOMS = ["dsl", "codegen", "runtime", "engine"] as const;
const MAX_LINES = 400;
/** Besides a room's index.ts, other rooms may enter by these. */
const SIDE_DOORS = ["dsl/kernels/catalogue.ts", "runtime/conformance/catalogue.ts"];
/** The one place of each third-party package; a package that is not listed may be imported nowhere. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  "ts-morph": ["dsl/frontend/"],
  "@jridgewell/trace-mapping": ["dsl/frontend/"],
  handlebars: ["codegen/text/template.ts"],
  unplugin: ["dsl/bundler/"],
  koffi: ["runtime/drivers/native/library.ts", "runtime/drivers/webgpu/library.ts"],
  webgpu: ["runtime/drivers/webgpu/"],
  fastify: ["engine/server/"],
  "light-my-request": [], // named for its version alone; Fastify imports it
  zod: ["engine/"],
  commander: ["engine/cli/"],
  tsx: ["engine/cli/", "runtime/script-loader.ts"],
  "cli-progress": ["engine/cli/"],
  "prom-client": ["engine/server/"],
  pino: ["engine/server/"],
  yaml: ["engine/cli/"],
  "@huggingface/hub": ["engine/weights/"],
  "@huggingface/jinja": ["engine/tokenizer/"],
  "@huggingface/tokenizers": ["engine/tokenizer/"],
};
const HEAD = /^(?:#![^\n]*\n)?\/\*\*\s+(?:\* )?\[([\w/.-]+)\] .+/;
/** Files of an extensible folder that are not members: what members are made of, and what finds them. */
const FRAMEWORK = /\/(define-[\w-]+|registry|model)\.ts$/;

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly isPackage: boolean;
}

const sources = ROOMS.flatMap((room) => filesOf(room, /\.ts$/));
const edges = sources.flatMap(edgesOf);

describe("the laws of the house", () => {
  it("sees the sources", () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(edges.length).toBeGreaterThan(300);
  });

  it("lets a room import only itself and earlier rooms", () => {
    const bad = edges.filter(
      ({ from, to, isPackage }) => !isPackage && roomIndex(to) > roomIndex(from),
    );
    expect(bad.map(show)).toEqual([]);
  });

  it("lets a room enter another only by its door", () => {
    const isDoor = (path: string) => /^\w+\/index\.ts$/.test(path) || SIDE_DOORS.includes(path);
    const bad = edges.filter(
      ({ from, to, isPackage }) => !isPackage && roomIndex(to) !== roomIndex(from) && !isDoor(to),
    );
    expect(bad.map(show)).toEqual([]);
  });

  it("imports no barrel from inside its room", () => {
    const bad = edges.filter(
      ({ from, to, isPackage }) =>
        !isPackage && roomIndex(to) === roomIndex(from) && /\/index\.ts$/.test(to),
    );
    expect(bad.map(show)).toEqual([]);
  });

  it("keeps each package in its home", () => {
    const bad = edges.filter(
      ({ from, to, isPackage }) =>
        isPackage &&
        !to.startsWith("node:") &&
        !(HOMES[to] ?? []).some((home) => from.startsWith(home)),
    );
    expect(bad.map(show)).toEqual([]);
  });

  it("has a home for every dependency", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(Object.keys(dependencies).sort()).toEqual(Object.keys(HOMES).sort());
    expect(
      Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version)),
    ).toEqual([]);
  });

  it("says at the head of each file what lives there", () => {
    const files = [...sources, ...filesOf("test", /\.ts$/), ...filesOf("examples", /\.ts$/)].filter(
      (file) => !file.includes("/golden/"),
    );
    const bad = files.filter((file) => {
      const named = HEAD.exec(readFileSync(file, "utf8"))?.[1];
      return named === undefined || !`${dirname(file)}/`.startsWith(`${named}/`);
    });
    expect(bad).toEqual([]);
  });

  it(`keeps files under ${MAX_LINES} lines`, () => {
    const files = [
      ...sources,
      ...ROOMS.flatMap((room) => filesOf(room, /\.(cuh|h|hbs|wgsl)$/)),
      ...filesOf("test/support", /\.(ts|h|cpp)$/),
    ];
    const long = files
      .map((file) => [file, readFileSync(file, "utf8").split("\n").length - 1] as const)
      .filter(([, lines]) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it("reads the environment in one place", () => {
    // Places of other tools (toolkits, hub caches) are found where they are used.
    const allowed = [
      "dsl/core/flags.ts",
      "runtime/drivers/cuda/locate.ts",
      "runtime/drivers/native/locate.ts",
      "engine/weights/hub-download.ts",
    ];
    const bad = sources.filter(
      (file) => !allowed.includes(file) && /process\.env\b/.test(readFileSync(file, "utf8")),
    );
    expect(bad).toEqual([]);
  });

  it("has every file of an extensible folder in its catalogue", () => {
    const folders = sources.filter((file) => file.endsWith("/catalogue.ts")).map(dirname);
    const bad = folders.flatMap((folder) => {
      const members = sources.filter(
        (file) =>
          dirname(file) === folder && !file.endsWith("catalogue.ts") && !FRAMEWORK.test(file),
      );
      // A file that other members share (samples, formulas) is reached through them.
      const reached = new Set(
        edges.filter(({ from }) => dirname(from) === folder).map(({ to }) => to),
      );
      return members
        .filter((file) => !reached.has(file))
        .map((file) => `${file} is not in ${folder}/catalogue.ts`);
    });
    expect(bad).toEqual([]);
  });
});

function filesOf(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => normalize(join(folder, name)))
    .filter((path) => pattern.test(path) && !path.includes("node_modules"))
    .sort();
}

function edgesOf(file: string): Edge[] {
  const tree = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: Edge[] = [];
  const add = (specifier: string) => {
    if (specifier.startsWith("."))
      found.push({ from: file, to: normalize(join(dirname(file), specifier)), isPackage: false });
    else found.push({ from: file, to: packageOf(specifier), isPackage: true });
  };
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined &&
      ts.isStringLiteral(node.moduleSpecifier)
    )
      add(node.moduleSpecifier.text);
    if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    )
      add(node.argument.literal.text);
    if (
      ts.isCallExpression(node) &&
      (node.expression.kind === ts.SyntaxKind.ImportKeyword ||
        /createRequire|^require$/.test(node.expression.getText()))
    ) {
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument)) add(argument.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function roomIndex(path: string): number {
  return (ROOMS as readonly string[]).indexOf(path.split("/")[0] ?? "");
}

function show({ from, to }: Edge): string {
  return `${from} -> ${to}`;
}
