/** [root] Test runner settings: one worker per core, long limits for the emulated and software-GPU runs. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters: ["default"],
  },
});
