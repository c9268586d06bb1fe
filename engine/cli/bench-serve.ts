/** [engine/cli] `tilewright bench-serve`: load on any OpenAI server, with latencies and throughput as text or JSON. */
import { writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { DATASETS, type DatasetName } from "../bench-serve/dataset.ts";
import { formatReport } from "../bench-serve/report.ts";
import { runLoad } from "../bench-serve/run.ts";
import { integer, number, positive } from "./model-flags.ts";

interface BenchServeFlags {
  readonly baseUrl: string;
  readonly model?: string;
  readonly apiKey?: string;
  readonly dataset: DatasetName;
  readonly numPrompts: number;
  readonly inputLen: number;
  readonly outputLen: number;
  readonly prefixLen: number;
  readonly vocabSize: number;
  readonly rate: number;
  readonly concurrency: number;
  readonly goodputTtft?: number;
  readonly goodputTpot?: number;
  readonly goodputE2el?: number;
  readonly seed: number;
  readonly json?: string;
}

export function addBenchServe(program: Command): void {
  program
    .command("bench-serve")
    .description("put load on an OpenAI server and measure it")
    .option("--base-url <url>", "the server", "http://127.0.0.1:8000")
    .option("--model <name>", "name of the model in the API; the server's where absent")
    .option("--api-key <key>", "key of the server")
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
    .option(
      "--rate <n>",
      "requests a second; all at once where absent",
      rate,
      Number.POSITIVE_INFINITY,
    )
    .option("--concurrency <n>", "most requests in flight", positive, Number.POSITIVE_INFINITY)
    .option("--goodput-ttft <ms>", "a good request's time to its first token", number)
    .option("--goodput-tpot <ms>", "a good request's mean time a token after", number)
    .option("--goodput-e2el <ms>", "a good request's whole time", number)
    .option("--seed <n>", "seed of prompts and arrivals", integer, 0)
    .option("--json <file>", "writes the flags and the report")
    .action(run);
}

function rate(text: string): number {
  const value = number(text);
  if (value <= 0) throw new InvalidArgumentError("it must be above 0.");
  return value;
}

async function run(flags: BenchServeFlags): Promise<void> {
  const { baseUrl, model, apiKey, goodputTtft, goodputTpot, goodputE2el, json, ...load } = flags;
  const report = await runLoad({
    ...load,
    target: { baseUrl: baseUrl.replace(/\/+(v1\/*)?$/, ""), model, apiKey },
    goals: {
      ...(goodputTtft === undefined ? {} : { ttft: goodputTtft }),
      ...(goodputTpot === undefined ? {} : { tpot: goodputTpot }),
      ...(goodputE2el === undefined ? {} : { e2el: goodputE2el }),
    },
  });
  process.stdout.write(`${formatReport(report)}\n`);
  if (json !== undefined)
    writeFileSync(
      json,
      `${JSON.stringify({ options: { baseUrl, model, ...load }, report }, null, 2)}\n`,
    );
  // A load of which nothing came through is no measurement.
  if (report.completed === 0) process.exitCode = 1;
}
