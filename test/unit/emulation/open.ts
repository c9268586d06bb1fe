/** [test/unit/emulation] What these tests share: the emulation or the printed reason for its absence, and views of buffers. */
import { describe } from "vitest";
import { type Emulation, openEmulation } from "../../support/emulation.ts";
import type { EmulatedArgument, EmulatedRun } from "../../support/emulation-protocol.ts";

/** Describes tests of the emulation, or skips them with the reason. */
export function describeEmulated(name: string, tests: (emulation: Emulation) => void): void {
  const opened = openEmulation();
  if ("reason" in opened) {
    console.warn(`skipped: ${name}: ${opened.reason}`);
    describe.skip(`${name} (${opened.reason})`, () => {});
    return;
  }
  describe(name, () => tests(opened));
}

type NumberArray = Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** A tensor that the kernel only reads. */
export function input(
  name: string,
  data: NumberArray,
): Extract<EmulatedArgument, { kind: "buffer" }> {
  return {
    kind: "buffer",
    name,
    bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    writable: false,
  };
}

/** A tensor that the kernel writes, with its contents before the launch. */
export function output(name: string, data: NumberArray): EmulatedArgument {
  return {
    kind: "buffer",
    name,
    bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    writable: true,
  };
}

export function i32(value: number): EmulatedArgument {
  return { kind: "i32", value };
}

/** A map of a buffer given before it; sizes in elements, outermost first. */
export function tensorMap(
  buffer: string,
  dims: readonly number[],
  box: readonly number[],
  elementBytes: number,
  swizzle: 0 | 32 | 64 | 128,
): EmulatedArgument {
  return { kind: "tensor_map", buffer, dims, box, elementBytes, swizzle };
}

/** Output bytes of a run. */
export function bytesOf(run: EmulatedRun | undefined, name: string): Uint8Array {
  const bytes = run?.outputs.get(name);
  if (bytes === undefined) throw new Error(`the run has no output ${name}`);
  return bytes;
}

export function floatsOf(run: EmulatedRun | undefined, name: string): Float32Array {
  return new Float32Array(bytesOf(run, name).buffer);
}

export function wordsOf(run: EmulatedRun | undefined, name: string): Uint32Array {
  return new Uint32Array(bytesOf(run, name).buffer);
}

/** Kinds of findings of some runs, once each, sorted. */
export function kindsOf(runs: readonly EmulatedRun[]): readonly string[] {
  return [...new Set(runs.flatMap((run) => run.reports.map((report) => report.kind)))].sort();
}

/** Small seeded generator (xorshift32): whole numbers below `bound`. */
export function randomBelow(seed: number): (bound: number) => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % bound;
  };
}
