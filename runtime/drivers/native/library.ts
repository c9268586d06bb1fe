/** [runtime/drivers] koffi for the drivers that call native libraries: loading, binding by C declarations, addresses. Knows no library. */
import { nodeModule } from "../../../dsl/index.ts";

const { createRequire } = nodeModule("node:module");

// koffi is loaded when a driver is opened, not when this file is imported.
type Koffi = typeof import("koffi");
type Native = (...args: unknown[]) => number;
/** As `Native`, and callable off the main thread. */
export type NativeAsync = Native & { async: (...args: unknown[]) => void };

let loaded: Koffi | undefined;
function koffi(): Koffi {
  loaded ??= createRequire(import.meta.url)("koffi") as Koffi;
  return loaded;
}

/** Version of koffi, for `doctor`. */
export function koffiVersion(): string {
  return koffi().version;
}

/** Libraries that others look up by name: once their handle is collected they are unloaded, and are no longer found. */
const kept: unknown[] = [];

/** Loads libraries for good. @throws Error of the loader where one is missing */
export function keepLoaded(paths: readonly string[]): void {
  for (const path of paths) kept.push(koffi().load(path));
}

/** Address of the first byte of a typed array; the array must stay referenced while the address is in use. */
export function addressOf(array: ArrayBufferView): bigint {
  return BigInt(koffi().address(array));
}

/**
 * Loads a library and finds its functions.
 * @param signatures C declarations by name
 * @throws Error of the loader where the library or a symbol is missing
 */
export function bindLibrary<S extends Readonly<Record<string, string>>>(
  path: string,
  signatures: S,
): Readonly<Record<keyof S, NativeAsync>> {
  const library = koffi().load(path);
  const bound: Partial<Record<keyof S, NativeAsync>> = {};
  for (const name of Object.keys(signatures) as (keyof S & string)[]) {
    bound[name] = library.func(signatures[name] ?? "") as unknown as NativeAsync;
  }
  return bound as Readonly<Record<keyof S, NativeAsync>>;
}
