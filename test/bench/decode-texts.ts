/** [test/bench] Writes the CUDA texts of `pagedDecode` and its merge, of both in one launch or of several queries a sequence, for a Hopper GPU, with what launches of them need, for peers/decode.py. Measures nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileStages } from "../../codegen/index.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import {
  pagedDecode,
  pagedDecodeMerge,
  pagedDecodeMerged,
  pagedVerify,
} from "../../dsl/kernels/catalogue.ts";
import { FEW_PIECES, MANY_PIECES, WHOLE_PIECES } from "../../engine/layers/decode-options.ts";

const GROUP = 4;
const HEAD_DIM = 128;
const PAGES = [16, 64];

/** usage: decode-texts.ts FOLDER [key=value,key=value…]… with one config a text, e.g. GP=16,BN=32,stages=3; with BJ both kernels in one launch, with queries=4 as many of a sequence, with fp8=1 a cache of 8 bits; programs=16 says how many share out a head's keys */
const [folder = "decode-texts", ...wanted] = process.argv.slice(2);
const DEFAULTS = ["GP=16,BN=64,BS=256,stages=2"];
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
  kernel:
    | typeof pagedDecode
    | typeof pagedDecodeMerge
    | typeof pagedDecodeMerged
    | typeof pagedVerify,
  file: string,
  config: Config,
  dims: Config,
  cache: { readonly C?: "bf16" | "f8e4m3" } = {},
) {
  const specialization = { dtypes: { T: "bf16" as const, ...cache }, config, dims };
  const target = cudaSpec("sm_90a");
  const { artifact, source } = compileStages(kernel, { specialization, target, divisibility: {} });
  writeFileSync(join(folder, file), source);
  const { entry, params, threads, sharedBytes } = artifact;
  return { file, entry, params, threads, sharedBytes, config: artifact.config };
}

function inOneLaunch(text: string, i: number) {
  const { programs, queries, ...config } = parseConfig(text);
  const kernel = queries === undefined ? pagedDecodeMerged : pagedVerify;
  return PAGES.map((PAGE) => {
    const dims = { G: GROUP, D: HEAD_DIM, PAGE };
    const merged = emit(kernel, `merged-${i}-${PAGE}.cu`, config, dims, { C: "bf16" });
    return { name: text, page: PAGE, merged, programs, queries };
  });
}

function inTwoLaunches(text: string, i: number) {
  const { fp8 = 0, programs, ...config } = parseConfig(text);
  const { BN = 16, BS = 32, LEAST = 1 } = config;
  const merge = (name: string, pieces: Config) =>
    emit(pagedDecodeMerge, `${name}-${i}.cu`, { BN, BS, LEAST, ...pieces }, { D: HEAD_DIM });
  return PAGES.map((PAGE) => ({
    name: text,
    page: PAGE,
    programs,
    decode: emit(
      pagedDecode,
      `decode-${i}-${PAGE}.cu`,
      config,
      { G: GROUP, D: HEAD_DIM, PAGE },
      { C: fp8 === 0 ? "bf16" : "f8e4m3" },
    ),
    fp8: fp8 !== 0,
    merge: merge("few", FEW_PIECES),
    mergeMany: merge("many", MANY_PIECES),
    mergeWhole: merge("whole", WHOLE_PIECES),
  }));
}

const list = (wanted.length > 0 ? wanted : DEFAULTS).map((text, i) =>
  "BJ" in parseConfig(text) ? inOneLaunch(text, i) : inTwoLaunches(text, i),
);
writeFileSync(join(folder, "texts.json"), JSON.stringify(list.flat(), null, 1));
