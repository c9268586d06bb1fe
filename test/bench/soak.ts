/**
 * [test/bench] Memory of the server over minutes of clients that come, go, leave and read slowly: `serve` on the null device, its process and its core's
 * sampled every 5 s after a warm-up. Exits with 1 where memory grows, a request gets what it should not, or something is left when all have gone.
 * `tsx test/bench/soak.ts [--minutes 10] [--warm 3] [--workers 48] [--seed 1] [--json FILE]`
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { writeTinyFiles } from "../support/tiny-files.ts";
import { CLIENTS, type Client, closeClients, type Outcome } from "./soak-clients.ts";
import { type Sample, type Trend, trendOf } from "./soak-trend.ts";

const { values: flags } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    warm: { type: "string", default: "3" },
    workers: { type: "string", default: "48" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
const SAMPLE_MS = 5000;
/** Of the server's process and of its core's: a collector that has gigabytes lets memory grow for hours before it looks. */
const HEAP_MEGABYTES = 128;
/** A slope that is surely above it is a leak; one that may be above the second is not known well enough. */
const LEAK_PER_MINUTE = 2 ** 19;
const UNSURE_PER_MINUTE = 2 ** 23;
const root = join(import.meta.dirname, "../..");

/** Numbers in [0, 1). @source the generator "mulberry32" by Tommy Ettinger, public domain */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function startServer(model: string): ChildProcess {
  const main = join(root, "engine/cli/main.ts");
  const args = ["serve", "--model", model, "--device", "null", "--port", "0"];
  const limits = ["--max-num-seqs", "32", "--num-gpu-blocks-override", "4000"];
  return spawn(process.execPath, ["--import", "tsx", main, ...args, ...limits], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` },
  });
}

function urlOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    server.stdout?.on("data", (chunk) => {
      text += chunk;
      const url = /listening on (\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
    server.once("exit", () => reject(new Error(`the server ended: ${text}`)));
  });
}

/** Resident bytes of a process. */
function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

function childOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return Number(child);
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(name));
  return Number(line?.slice(line.lastIndexOf(" ")));
}

const counts = new Map<string, number>();
const failures: string[] = [];

/** @param at in [0, 1), where all shares lie one after another */
function pick(at: number): readonly [string, Client] {
  let end = 0;
  for (const [share, name, client] of CLIENTS) {
    end += share;
    if (at < end) return [name, client];
  }
  throw new RangeError("the shares of the clients are less than 1");
}

async function work(url: string, chance: () => number, until: number): Promise<void> {
  while (performance.now() < until) {
    const [name, client] = pick(chance());
    const outcome: Outcome | "failed" = await client(url, chance).catch((error: unknown) => {
      if (failures.length < 20) failures.push(`${name}: ${String(error)}`);
      return "failed" as const;
    });
    const key = `${name} ${outcome}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    await delay(40 * chance());
  }
}

const SERIES = ["server resident", "server heap", "core resident"] as const;
type Series = Record<(typeof SERIES)[number], Sample[]>;

async function sample(url: string, pid: number, core: number, series: Series, until: number) {
  while (performance.now() < until) {
    const at = performance.now() / 1000;
    series["server resident"].push({ at, value: residentBytes(pid) });
    series["core resident"].push({ at, value: residentBytes(core) });
    series["server heap"].push({ at, value: await metric(url, "nodejs_heap_size_used_bytes") });
    await delay(SAMPLE_MS);
  }
}

/** What is left when all clients have gone. */
async function leftovers(url: string): Promise<Readonly<Record<string, number>>> {
  const names = ["num_requests_running", "num_requests_waiting", "kv_cache_usage_perc"] as const;
  for (let i = 0; ; i++) {
    const values = await Promise.all(names.map((name) => metric(url, `vllm:${name}{`)));
    const left = Object.fromEntries(names.map((name, at) => [name, values[at] ?? Number.NaN]));
    if (i >= 50 || values.every((value) => value === 0)) return left;
    await delay(100);
  }
}

function rounded({ samples, ...rest }: Trend): object {
  const figures = Object.entries(rest).map(([name, value]) => [name, Math.round(value)]);
  return { samples, ...Object.fromEntries(figures) };
}

async function soak(url: string, pid: number) {
  const chance = generator(Number(flags.seed));
  const warm = performance.now() + Number(flags.warm) * 60_000;
  const until = warm + Number(flags.minutes) * 60_000;
  const workers = Array.from({ length: Number(flags.workers) }, () => work(url, chance, until));
  await delay(warm - performance.now());
  const series: Series = { "server resident": [], "server heap": [], "core resident": [] };
  const before = [...counts.values()].reduce((sum, one) => sum + one, 0);
  await sample(url, pid, childOf(pid), series, until);
  await Promise.all(workers);
  const requests = [...counts.values()].reduce((sum, one) => sum + one, 0) - before;
  return { series, requests, left: await leftovers(url) };
}

async function main(): Promise<number> {
  const model = mkdtempSync(join(tmpdir(), "tilewright-soak-"));
  writeTinyFiles(model, { config: { max_position_embeddings: 8192 } });
  const server = startServer(model);
  const exited = new Promise((resolve) => server.once("exit", resolve));
  try {
    const { series, requests, left } = await soak(await urlOf(server), server.pid ?? 0);
    const trends = SERIES.map((name) => {
      const how = name === "server heap" ? "least" : "mean";
      return [name, trendOf(series[name], how)] as const;
    });
    const grows = trends.some(([, { low }]) => low > LEAK_PER_MINUTE);
    const isUnsure = trends.some(([, { high }]) => high > UNSURE_PER_MINUTE);
    const isClean = failures.length === 0 && Object.values(left).every((value) => value === 0);
    const verdict = grows ? "grows" : isUnsure ? "unsure" : isClean ? "flat" : "not clean";
    const report = {
      what: "memory of serve on the null device under clients that come and go, bytes, slope a minute with its 95 % bounds",
      machine: `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
      heapLimitMegabytes: HEAP_MEGABYTES,
      minutes: Number(flags.minutes),
      warmUpMinutes: Number(flags.warm),
      workers: Number(flags.workers),
      seed: Number(flags.seed),
      requests,
      clients: Object.fromEntries([...counts].sort()),
      left,
      failures,
      trends: Object.fromEntries(trends.map(([name, trend]) => [name, rounded(trend)])),
      verdict,
    };
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    if (flags.json !== undefined)
      writeFileSync(flags.json, `${JSON.stringify(report, undefined, 2)}\n`);
    return verdict === "flat" ? 0 : 1;
  } finally {
    closeClients();
    server.kill("SIGTERM");
    await exited;
    rmSync(model, { recursive: true, force: true });
  }
}

process.exitCode = await main();
