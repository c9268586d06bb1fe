/** [dsl/core] The texts that lowered kernels were written in, kept beside them for the code frames of errors that are found later. */
import { TilewrightError } from "./errors.ts";

/** Text of a file by its display path. */
export type TextOf = (file: string) => string | undefined;

const KNOWN = new WeakMap<object, readonly { readonly file: string; readonly text: string }[]>();

/** @param kernel what was lowered; its texts are kept for as long as it is */
export function keepSources(
  kernel: object,
  sources: readonly { readonly file: string; readonly text: string }[],
): void {
  KNOWN.set(kernel, sources);
}

/** Texts of a kernel that was lowered here; a kernel that was read from its own text has none. */
export function sourcesOf(kernel: object): TextOf {
  const sources = KNOWN.get(kernel) ?? [];
  return (file) => sources.find((one) => one.file === file)?.text;
}

/** The error with code frames where places are known and `textOf` has their file: the same class, the same stack. */
export function withSources(error: TilewrightError, textOf: TextOf): TilewrightError {
  let isNew = false;
  const diagnostics = error.diagnostics.map((diagnostic) => {
    const { location, source } = diagnostic;
    const text = location === undefined ? undefined : textOf(location.span.file);
    if (text === undefined || source !== undefined) return diagnostic;
    isNew = true;
    return { ...diagnostic, source: text };
  });
  if (!isNew) return error;
  const made = new (error.constructor as typeof TilewrightError)(diagnostics, {
    cause: error.cause,
  });
  const { stack } = error;
  if (stack !== undefined) made.stack = stack.replace(error.message, () => made.message);
  return made;
}

/** Runs a step on a kernel; its errors show the kernel's source. */
export function showingSources<T>(kernel: object, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof TilewrightError) throw withSources(error, sourcesOf(kernel));
    throw error;
  }
}
