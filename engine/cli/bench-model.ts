/** [engine/cli] `tilewright bench --model`: the decode steps of a model by its sizes, with random weights. Kernels alone are in bench.ts. */
import { type Command, Option } from "commander";
import { type DType, RequestError } from "../../dsl/index.ts";
import { openDevice } from "../../runtime/index.ts";
import { KV_CACHE_DTYPES, type KvCacheDtype } from "../dtypes.ts";
import { benchModel } from "../model-bench/model-bench.ts";
import { chromeTrace, formatModelReport } from "../model-bench/report.ts";
import { shapeConfig } from "../model-bench/shapes.ts";
import { dtypeNamed } from "../weights/model-config.ts";
import { writeOutput } from "./flag-file.ts";
import { positive } from "./model-flags.ts";

export interface BenchModelFlags {
  readonly model?: string;
  readonly batch: readonly number[];
  readonly context: readonly number[];
  readonly kvCacheDtype?: KvCacheDtype;
  readonly blockSize?: number;
  readonly steps?: number;
  readonly enforceEager?: boolean;
  readonly batchInvariant?: boolean;
  readonly profile?: string;
}

interface SharedFlags {
  readonly device?: string;
  readonly dtype: readonly string[];
  readonly rounds?: number;
  readonly json?: string;
}

export function addBenchModelFlags(command: Command): Command {
  return command
    .option(
      "--model <shape>",
      "decode steps of llama-3.1-8b, llama-3.2-1b, qwen3-0.6b, qwen3-30b-a3b or a folder's config.json",
    )
    .option("--batch <sizes>", "with --model: sequences of a step", counts, [1])
    .option("--context <sizes>", "with --model: positions of each sequence", counts, [512])
    .addOption(
      new Option(
        "--kv-cache-dtype <type>",
        "with --model: dtype of cached keys and values",
      ).choices(KV_CACHE_DTYPES),
    )
    .option("--block-size <n>", "with --model: positions in a page of the KV cache", positive)
    .option("--steps <n>", "with --model: steps of a round", positive)
    .option("--enforce-eager", "with --model: launch kernels one by one")
    .option("--batch-invariant", "with --model: the kernels of serve --batch-invariant")
    .option("--profile <file>", "with --model: write a trace of one step for chrome://tracing");
}

/** @throws RequestError TW4418, TW4419 for a shape or dtype that is not known */
export async function runBenchModel(
  model: string,
  flags: BenchModelFlags & SharedFlags,
): Promise<void> {
  const config = shapeConfig(model);
  const device = await openDevice(flags.device);
  try {
    const { report, traces } = await benchModel(device, {
      name: model,
      config,
      dtype: dtypeOf(flags.dtype.at(-1) ?? (device.info.hardware ? "bf16" : "f32")),
      batches: flags.batch,
      contexts: flags.context,
      onProgress: (line) => {
        if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
      },
      ...(flags.kvCacheDtype === undefined ? {} : { kvCacheDtype: flags.kvCacheDtype }),
      ...(flags.blockSize === undefined ? {} : { pageSize: flags.blockSize }),
      ...(flags.steps === undefined ? {} : { steps: flags.steps }),
      ...(flags.rounds === undefined ? {} : { rounds: flags.rounds }),
      ...(flags.enforceEager === undefined ? {} : { enforceEager: flags.enforceEager }),
      ...(flags.batchInvariant === undefined ? {} : { batchInvariant: flags.batchInvariant }),
    });
    process.stdout.write(formatModelReport(report));
    writeOutput("--json", flags.json, () => `${JSON.stringify(report, undefined, 1)}\n`);
    writeOutput("--profile", flags.profile, () => chromeTrace(model, traces));
  } finally {
    await device.close();
  }
}

const DTYPES: readonly DType[] = ["f32", "f16", "bf16"];

/** By our name or torch's. */
function dtypeOf(name: string): DType {
  const dtype = DTYPES.find((one) => one === name) ?? dtypeNamed(name);
  if (dtype !== undefined) return dtype;
  throw new RequestError({
    code: "TW4419",
    message: "the dtype of the model is not known",
    seen: name,
    expected: "f32, f16, bf16, or float32, float16, bfloat16",
    remedy: "correct --dtype",
  });
}

/** `1,64`. */
function counts(text: string): readonly number[] {
  return text.split(",").map((part) => positive(part));
}
