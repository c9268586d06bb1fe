/** [test/bench] Writes the CUDA texts of `pagedDecode` and its merge for a Hopper GPU, with what launches of them need, for peers/decode.py. Measures nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileStages } from "../../codegen/index.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { pagedDecode, pagedDecodeMerge } from "../../dsl/kernels/catalogue.ts";

const GROUP = 4;
const HEAD_DIM = 128;
const PAGES = [16, 64];

/** usage: decode-texts.ts FOLDER [key=value,key=value…]… with one config a text, e.g. BN=32,stages=3,warps=1; BJ, GM, MW and MS are the merge's BJ, GP, warps and stages */
const [folder = "decode-texts", ...wanted] = process.argv.slice(2);
const DEFAULTS = ["GP=16,BN=32,stages=3,warps=1"];
mkdirSync(folder, { recursive: true });

type Config = Readonly<Record<string, number>>;

function parseConfig(text: string): Config {
  return Object.fromEntries(
    text.split(",").map((pair) => {
      const [key = "", value = "0"] = pair.split("=");
      return [key, Number(value)];
    }),
  );
}

function emit(
  kernel: typeof pagedDecode | typeof pagedDecodeMerge,
  file: string,
  config: Config,
  dims: Config,
) {
  const specialization = { dtypes: { T: "bf16" as const }, config, dims };
  const target = cudaSpec("sm_90a");
  const { artifact, source } = compileStages(kernel, { specialization, target, divisibility: {} });
  writeFileSync(join(folder, file), source);
  const { entry, params, threads, sharedBytes } = artifact;
  return { file, entry, params, threads, sharedBytes, config: artifact.config };
}

const list = (wanted.length > 0 ? wanted : DEFAULTS).flatMap((text, i) => {
  const { BJ = 8, GM = 4, MW = 0, MS = 1, ...config } = parseConfig(text);
  const { BN = 16, BS = 32, LEAST = 1 } = config;
  const merging = { BN, BS, LEAST, GP: GM, BJ, stages: MS, ...(MW > 0 && { warps: MW }) };
  return PAGES.map((PAGE) => ({
    name: text,
    page: PAGE,
    decode: emit(pagedDecode, `decode-${i}-${PAGE}.cu`, config, { G: GROUP, D: HEAD_DIM, PAGE }),
    merge: emit(pagedDecodeMerge, `merge-${i}.cu`, merging, { D: HEAD_DIM }),
  }));
});
writeFileSync(join(folder, "texts.json"), JSON.stringify(list, null, 1));
