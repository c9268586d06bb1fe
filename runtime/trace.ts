/** [runtime] What the DEBUG ladder and TILEWRIGHT_DUMP show of launches and compiles. Silent, and free, at level 0. */
import {
  type Artifact,
  type CompileRequest,
  compileStages,
  targetNamed,
} from "../codegen/index.ts";
import { debugLevel, type KernelDefinition, nodeModule, readFlag } from "../dsl/index.ts";
import type { Loadable } from "./backend.ts";
import type { Device, DeviceEvent, Stream, Tensor } from "./device.ts";
import type { Grid } from "./plan.ts";
import { tensorBytes } from "./tensor.ts";

const { mkdirSync, writeFileSync } = nodeModule("node:fs");
const { join } = nodeModule("node:path");

interface Timed {
  readonly line: string;
  readonly bytes: number;
  readonly start: DeviceEvent;
  readonly end: DeviceEvent;
}

export interface TracedLaunch {
  readonly name: string;
  readonly grid: Grid;
  readonly tensors: readonly Tensor[];
  readonly stream: Stream | undefined;
}

/** DEBUG=2: one line a launch. Devices with events measure it; elsewhere it is the time of the call, which is all of it on the interpreter. */
export class LaunchTrace {
  /** Read once: the environment is slow to ask, and a launch is quick. */
  readonly isOn = debugLevel() >= 2;
  readonly #device: Device;
  readonly #pending: Timed[] = [];

  constructor(device: Device) {
    this.#device = device;
  }

  run({ name, grid, tensors, stream }: TracedLaunch, enqueue: () => void): void {
    const bytes = tensors.reduce((sum, tensor) => sum + tensorBytes(tensor), 0);
    const line = `${name} grid ${grid.join("×")}`;
    const { createEvent } = this.#device;
    if (createEvent === undefined || stream !== undefined) {
      const start = performance.now();
      enqueue();
      write(`${line}: ${rate(performance.now() - start, bytes)} in the call`);
      return;
    }
    const [start, end] = [createEvent(), createEvent()];
    start.record();
    enqueue();
    end.record();
    this.#pending.push({ line, bytes, start, end });
  }

  /** Prints what was measured on the device. Called when its work is known to be done. */
  flush(): void {
    for (const { line, bytes, start, end } of this.#pending.splice(0))
      write(`${line}: ${rate(end.elapsedMs(start), bytes)}`);
  }
}

function rate(ms: number, bytes: number): string {
  return `${ms.toFixed(3)} ms, ${(bytes / 1e6 / Math.max(ms, 1e-6)).toFixed(1)} GB/s of its tensors`;
}

/** DEBUG=3 and 4: the config of a kernel that became ready, and its text. */
export function traceReady(device: Device, key: string, loadable: Loadable, ms: number): void {
  const level = debugLevel();
  if (level < 3) return;
  const { name, config } =
    loadable.kind === "tile"
      ? loadable.tile
      : { name: loadable.artifact.kernel, config: loadable.artifact.config };
  const values = Object.entries(config).map(([entry, value]) => `${entry}=${value}`);
  write(
    `${name} {${key}} with ${values.join(" ") || "no config"}, ready on ${device.info.driver} in ${ms.toFixed(1)} ms`,
  );
  if (level >= 4 && loadable.kind === "text") process.stderr.write(`${loadable.artifact.text}\n`);
}

/** DEBUG=5 and 6: the levels of a compile; TILEWRIGHT_DUMP: all of them as files. Compiles once more, for the sake of the texts. */
export function traceCompile(
  kernel: KernelDefinition,
  request: CompileRequest,
  artifact: Artifact,
): void {
  const level = debugLevel();
  const folder = readFlag("dump");
  if (level < 5 && folder === undefined) return;
  const stages = compileStages(kernel, request);
  if (level >= 6) process.stderr.write(`${stages.tile}\n${stages.scheduled}\n`);
  if (level >= 5) process.stderr.write(`${stages.thread}\n`);
  if (folder === undefined) return;
  const place = join(folder, `${artifact.kernel}-${artifact.hash.slice(0, 12)}`);
  mkdirSync(place, { recursive: true });
  const files = {
    "hir.json": stages.hir,
    "tile.txt": stages.tile,
    "scheduled.txt": stages.scheduled,
    "thread.txt": stages.thread,
    [`source.${targetNamed(artifact.target.target).extension}`]: stages.source,
    "remarks.json": `${JSON.stringify(artifact.remarks, null, 2)}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
}

function write(line: string): void {
  process.stderr.write(`tilewright: ${line}\n`);
}
