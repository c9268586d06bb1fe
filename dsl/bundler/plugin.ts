/** [dsl/bundler] The bundler plugin: kernels with embedded source for browsers and bundles. For vite, rollup, rolldown, esbuild and webpack. */
import { createUnplugin, type UnpluginInstance } from "unplugin";
import { SourceCache } from "../frontend/source-cache.ts";
import { embedAssets, embedPrograms } from "./embed.ts";

const MODULE = /\.[cm]?[jt]sx?$/;
const PACKAGE = "tilewright";

/**
 * Embeds the parsed form of every kernel and device function of a bundle, and the compiler's own templates where the compiler is a
 * part of it. What is bundled so needs neither files nor a TypeScript parser when it runs.
 * @example export default defineConfig({ plugins: [tilewright.vite()] });
 */
export const tilewright: UnpluginInstance<undefined> = createUnplugin(() => {
  const cache = new SourceCache();
  return {
    name: PACKAGE,
    enforce: "pre", // positions are those of the files, before anything else has changed them
    transformInclude: (id) => MODULE.test(fileOf(id)),
    transform(code, id) {
      const file = fileOf(id);
      const embedded = embedAssets(file, code) ?? embedPrograms(file, code, cache);
      if (embedded === undefined) return null;
      for (const dependency of embedded.dependencies) this.addWatchFile(dependency);
      return { code: embedded.code, map: null }; // lines stay; what is added stands behind the text that has places
    },
    vite: {
      // Ahead-of-time bundling of dependencies runs without plugins; handlebars is CommonJS and needs it.
      config: () => ({
        optimizeDeps: { exclude: [PACKAGE], include: [`${PACKAGE} > handlebars`] },
      }),
    },
  };
});

/** A module's id without the query that some bundlers add. */
function fileOf(id: string): string {
  return id.replace(/[?#].*$/, "");
}
