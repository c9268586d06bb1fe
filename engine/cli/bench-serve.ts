/** [engine/cli] `tilewright bench-serve`: load on any OpenAI server, with latencies and throughput as text or JSON. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { ENDPOINTS, type Endpoint } from "../bench-serve/client.ts";
import { DATASETS, type DatasetName } from "../bench-serve/dataset.ts";
import { fullDialect, learnDialect } from "../bench-serve/dialect.ts";
import { sweepSvg } from "../bench-serve/plot.ts";
import { formatReport, formatSweep, rateName } from "../bench-serve/report.ts";
import { type LoadRun, runSweep } from "../bench-serve/run.ts";
import { writeOutput } from "./flag-file.ts";
import { integer, number, positive } from "./model-flags.ts";

interface BenchServeFlags {
  readonly baseUrl: string;
  readonly model?: string;
  readonly apiKey?: string;
  readonly endpoint: Endpoint;
  readonly dataset: DatasetName;
  readonly numPrompts: number;
  readonly inputLen: number;
  readonly outputLen: number;
  readonly prefixLen: number;
  readonly vocabSize: number;
  readonly rate: readonly number[];
  readonly concurrency: number;
  readonly goodputTtft?: number;
  readonly goodputTpot?: number;
  readonly goodputE2el?: number;
  readonly seed: number;
  readonly json?: string;
  readonly plot?: string;
}

export function addBenchServe(program: Command): void {
  program
    .command("bench-serve")
    .description("put load on an OpenAI server and measure it")
    .option("--base-url <url>", "the server", "http://127.0.0.1:8000")
    .option("--model <name>", "name of the model in the API; the server's where absent")
    .option("--api-key <key>", "key of the server")
    .addOption(
      new Option("--endpoint <name>", "chat sends texts").choices(ENDPOINTS).default("completions"),
    )
    .addOption(
      new Option("--dataset <name>", "kind of requests").choices(DATASETS).default("random"),
    )
    .option("--num-prompts <n>", "requests", positive, 100)
    .option("--input-len <n>", "tokens of a prompt (sharegpt-like: their median)", positive, 512)
    .option("--output-len <n>", "tokens of an answer (sharegpt-like: their median)", positive, 128)
    .option("--prefix-len <n>", "tokens that all prompts of `prefix` begin with", positive, 256)
    .option(
      "--vocab-size <n>",
      "token ids are drawn below it: at most the model's",
      positive,
      32000,
    )
    .addOption(
      new Option("--rate <n,…>", "requests a second, inf for all at once; several make a sweep")
        .argParser(rates)
        .default([Number.POSITIVE_INFINITY], "inf"),
    )
    .addOption(
      new Option("--concurrency <n>", "most requests in flight")
        .argParser(positive)
        .default(Number.POSITIVE_INFINITY, "no limit"),
    )
    .option("--goodput-ttft <ms>", "a good request's time to its first token", number)
    .option("--goodput-tpot <ms>", "a good request's mean time a token after", number)
    .option("--goodput-e2el <ms>", "a good request's whole time", number)
    .option("--seed <n>", "seed of prompts and arrivals", integer, 0)
    .option("--json <file>", "writes the flags and the report of each rate")
    .option("--plot <file>", "writes a picture (SVG): latencies and throughput by rate")
    .action(run);
}

/** `1,4,inf`. */
function rates(text: string): readonly number[] {
  return text.split(",").map((part) => {
    const value = part.trim() === "inf" ? Number.POSITIVE_INFINITY : number(part);
    if (value <= 0) throw new InvalidArgumentError("it must be above 0.");
    return value;
  });
}

async function run(flags: BenchServeFlags): Promise<void> {
  const { baseUrl, model, apiKey, endpoint, rate, ...rest } = flags;
  const { goodputTtft, goodputTpot, goodputE2el, json, plot, ...load } = rest;
  const asked = {
    baseUrl: baseUrl.replace(/\/+(v1\/*)?$/, ""),
    model,
    apiKey,
    dialect: fullDialect(endpoint),
  };
  const { target, remarks } = await learnDialect(asked, load);
  for (const remark of remarks) process.stderr.write(`${remark}\n`);
  const goals = {
    ...(goodputTtft === undefined ? {} : { ttft: goodputTtft }),
    ...(goodputTpot === undefined ? {} : { tpot: goodputTpot }),
    ...(goodputE2el === undefined ? {} : { e2el: goodputE2el }),
  };
  const isSweep = rate.length > 1;
  const runs = await runSweep({ ...load, target, goals }, rate, (one) => {
    const head = isSweep ? `rate ${rateName(one.rate)}: ` : "";
    process.stdout.write(`${head}${formatReport(one.report)}\n${isSweep ? "\n" : ""}`);
  });
  if (isSweep) process.stdout.write(`${formatSweep(runs)}\n`);
  const { model: served } = target;
  const options = { baseUrl, model: served, ...load, goals, dialect: target.dialect };
  writeOutput("--json", json, () => jsonOf(options, runs));
  writeOutput("--plot", plot, () => sweepSvg(titleOf(served ?? baseUrl, flags), runs));
  // A load of which nothing came through is no measurement.
  if (runs.every(({ report }) => report.completed === 0)) process.exitCode = 1;
}

function jsonOf(options: object, runs: readonly LoadRun[]): string {
  const named = runs.map(({ rate, report }) => ({ rate: rateName(rate), report }));
  const written = { format: "tilewright-load-1", options, runs: named };
  return `${JSON.stringify(written, (_, value) => (value === Number.POSITIVE_INFINITY ? "inf" : value), 2)}\n`;
}

function titleOf(name: string, flags: BenchServeFlags): string {
  const { dataset, numPrompts, inputLen, outputLen } = flags;
  return `${name}: ${numPrompts} requests of ${dataset}, ${inputLen} in, ${outputLen} out`;
}
