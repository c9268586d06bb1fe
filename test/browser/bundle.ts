/** [test/browser] Builds the page with the bundler plugin, in memory. */
import { fileURLToPath } from "node:url";
import { build, type Rolldown } from "vite";
import { tilewright } from "../../dsl/bundler/plugin.ts";

/** A bundle and what it was made of. */
export interface PageBundle {
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Modules in the bundle, and what it imports from outside. */
  readonly modules: readonly string[];
  readonly imports: readonly string[];
}

/** @param entry absolute path of the page's module; the bundle's entry is `page.js` */
export async function bundlePage(entry: string): Promise<PageBundle> {
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL(".", import.meta.url)),
    logLevel: "error",
    plugins: [tilewright.vite()],
    build: {
      write: false,
      minify: false,
      target: "es2022",
      modulePreload: false,
      rollupOptions: {
        input: { page: entry },
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rolldown.RolldownOutput;
  const chunks = output.filter((file) => file.type === "chunk");
  const names = new Set(chunks.map(({ fileName }) => fileName));
  return {
    files: new Map(
      output.map((file) => [file.fileName, file.type === "chunk" ? file.code : file.source]),
    ),
    modules: chunks.flatMap(({ modules }) => Object.keys(modules)),
    imports: chunks
      .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
      .filter((name) => !names.has(name)),
  };
}
