/** [test/support/source-project] Exports the helpers again, by name, under another name, and with a star. */
export { clampLow, power as raise } from "./constants.js";
export * from "./more.ts";
