/** [test/bench] Writes the CUDA texts of decodes with a shared beginning for a Hopper GPU, and of those without beside them, for peers/prefix.py. Measures nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileStages } from "../../codegen/index.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import {
  pagedDecode,
  pagedDecodeMerge,
  pagedDecodeMerged,
  sharedPrefixDecode,
  sharedPrefixMerge,
  sharedSuffixDecode,
} from "../../dsl/kernels/catalogue.ts";
import {
  FEW_PIECES,
  MANY_PIECES,
  TILE_PIECES,
  WHOLE_PIECES,
} from "../../engine/layers/decode-options.ts";

const GROUP = 4;
const HEAD_DIM = 128;
const PAGES = [16, 64];

type Config = Readonly<Record<string, number>>;

/** usage: prefix-texts.ts FOLDER [key=value,key=value…]… with one config of `sharedPrefixDecode` a text, e.g. GP=64,BN=64,stages=2,warps=4 */
const [folder = "prefix-texts", ...wanted] = process.argv.slice(2);
const DEFAULTS = ["GP=64,BN=64,stages=2"];
const LINE: Config = { BS: 256, LEAST: 2 };
const OWN: Config = { GP: 16, BN: 64, stages: 2, ...LINE };
mkdirSync(folder, { recursive: true });

/** Merges of both kinds of pieces: those of the engine, and others. */
const JOINS: Readonly<Record<string, Config>> = {
  few: FEW_PIECES,
  whole: WHOLE_PIECES,
  many: MANY_PIECES,
  tiles: TILE_PIECES,
  "32x4": { GP: 1, BJ: 32, warps: 4 },
  "4x16x4": { GP: 4, BJ: 16, warps: 4 },
  "2x8x2": { GP: 2, BJ: 8, warps: 2 },
};

function parseConfig(text: string): Config {
  return Object.fromEntries(
    text.split(",").map((pair) => {
      const [key = "", value = "0"] = pair.split("=");
      return [key, Number(value)];
    }),
  );
}

function emit(
  kernel: Parameters<typeof compileStages>[0],
  file: string,
  config: Config,
  dims: Config,
  dtypes: Readonly<Record<string, "bf16">> = { T: "bf16", C: "bf16" },
) {
  const specialization = { dtypes, config, dims };
  const target = cudaSpec("sm_90a");
  const { artifact, source } = compileStages(kernel, { specialization, target, divisibility: {} });
  writeFileSync(join(folder, file), source);
  const { entry, params, threads, sharedBytes } = artifact;
  return { file, entry, params, threads, sharedBytes, config: artifact.config };
}

const { BN = 64 } = OWN;
const ONE_DTYPE = { T: "bf16" } as const;
const heads = { G: GROUP, D: HEAD_DIM };

/** As the engine has them where nothing is shared. */
function plain(page: number) {
  const dims = { ...heads, PAGE: page };
  const merge = (name: string, pieces: Config) =>
    emit(
      pagedDecodeMerge,
      `plain-${name}.cu`,
      { BN, ...LINE, ...pieces },
      { D: HEAD_DIM },
      ONE_DTYPE,
    );
  return {
    page,
    decode: emit(pagedDecode, `plain-${page}.cu`, OWN, dims),
    merge: merge("few", FEW_PIECES),
    mergeMany: merge("many", MANY_PIECES),
    mergeWhole: merge("whole", WHOLE_PIECES),
    merged: emit(pagedDecodeMerged, `merged-${page}.cu`, { ...OWN, GM: 4, BJ: 8 }, dims),
  };
}

function shared(text: string, i: number, page: number) {
  const config = parseConfig(text);
  const dims = { ...heads, PAGE: page };
  const merge = (name: string, pieces: Config) =>
    emit(
      sharedPrefixMerge,
      `join-${name}-${i}.cu`,
      { BN, ...LINE, ...pieces, SN: config["BN"] ?? 0 },
      heads,
      ONE_DTYPE,
    );
  return {
    name: text,
    page,
    prefix: emit(sharedPrefixDecode, `prefix-${i}-${page}.cu`, { ...LINE, ...config }, dims),
    suffix: emit(sharedSuffixDecode, `suffix-${page}.cu`, OWN, dims),
    joins: Object.fromEntries(Object.entries(JOINS).map(([name, of]) => [name, merge(name, of)])),
  };
}

const texts = wanted.length > 0 ? wanted : DEFAULTS;
const list = {
  plain: PAGES.map(plain),
  shared: texts.flatMap((text, i) => PAGES.map((page) => shared(text, i, page))),
};
writeFileSync(join(folder, "texts.json"), JSON.stringify(list, null, 1));
