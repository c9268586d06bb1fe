/** [test/bench] Host time of a launch, of a graph replay and of the first launch of a cached kernel. `tsx test/bench/launch-cost.ts DEVICE`. */
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { rmsNorm } from "../../dsl/kernels/catalogue.ts";
import { type Device, emptyTensor, openDevice, readTensor, tensorFrom } from "../../index.ts";

const LAUNCHES = 20_000;
const ROUNDS = 5;
const GRAPH_NODES = 200;

interface LaunchCost {
  readonly device: string;
  readonly name: string;
  readonly cpu: string;
  /** First launch in this process: the disk cache is read, or the compiler runs. */
  readonly firstMs: number;
  /** First launch on a second device of this process, whose plans are empty: the disk cache is read. */
  readonly cachedMs: number;
  readonly parserWasLoaded: boolean;
  /** Host time of one launch, median of the rounds. */
  readonly launchUs: number;
  /** Host time of one launch inside a graph replay; absent without capture. */
  readonly replayUs?: number;
}

function argumentsOn(device: Device) {
  const x = tensorFrom(
    device,
    "f32",
    [64, 1024],
    Float32Array.from({ length: 65536 }, (_, i) => Math.sin(i)),
  );
  const w = tensorFrom(device, "f32", [1024], new Float32Array(1024).fill(1));
  return { x, w, y: emptyTensor(device, "f32", [64, 1024]), eps: 1e-5 };
}

async function firstLaunchMs(device: Device): Promise<number> {
  const args = argumentsOn(device);
  await device.synchronize();
  const start = performance.now();
  device.launch(rmsNorm, args);
  return performance.now() - start;
}

async function measureLaunch(device: Device): Promise<number> {
  const args = argumentsOn(device);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await device.synchronize();
    const start = performance.now();
    for (let i = 0; i < LAUNCHES; i++) device.launch(rmsNorm, args);
    rounds.push(((performance.now() - start) * 1000) / LAUNCHES);
  }
  await device.synchronize();
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

async function measureReplay(device: Device): Promise<number | undefined> {
  if (device.capture === undefined) return undefined;
  const args = argumentsOn(device);
  device.launch(rmsNorm, args);
  const expected = await readTensor(args.y);
  const graph = device.capture((stream) => {
    for (let i = 0; i < GRAPH_NODES; i++) device.launch(rmsNorm, args, { stream });
  });
  device.fill(args.y.buffer, 0, args.y.buffer.bytes, 0);
  const start = performance.now();
  graph.launch();
  const us = ((performance.now() - start) * 1000) / GRAPH_NODES;
  const replayed = await readTensor(args.y);
  graph.close();
  if (!replayed.every((value, i) => value === expected[i]))
    throw new Error("a replayed graph gave another result than the launches");
  return us;
}

const name = process.argv[2] ?? "null";
const device = await openDevice(name);
const firstMs = await firstLaunchMs(device);
const parserWasLoaded = Object.keys(createRequire(import.meta.url).cache).some((path) =>
  path.includes("ts-morph"),
);
const second = await openDevice(name);
const cachedMs = await firstLaunchMs(second);
const launchUs = await measureLaunch(device);
const replayUs = await measureReplay(device);
const cost: LaunchCost = {
  device: name,
  name: device.info.name,
  cpu: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
  firstMs,
  cachedMs,
  parserWasLoaded,
  launchUs,
  ...(replayUs === undefined ? {} : { replayUs }),
};
await second.close();
await device.close();
process.stdout.write(`${JSON.stringify(cost)}\n`);
