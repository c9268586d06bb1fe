/** [root] Test runner settings: one worker per core, long limits for the emulated and software-GPU runs. */
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

/** Folders whose files leave nothing behind in their process: one process runs many of them, so the catalogue is imported and parsed once. */
const SHARED = [
  "test/unit/{dsl,codegen,emulation,engine,replay}/**/*.test.ts",
  "test/{golden,errors,regressions,compile}/**/*.test.ts",
];

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: availableParallelism(),
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters: ["default"],
    projects: [
      { extends: true, test: { name: "shared", include: SHARED, isolate: false } },
      {
        extends: true,
        test: {
          name: "own",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...SHARED],
        },
      },
    ],
  },
});
