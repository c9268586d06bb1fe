/** [test/bench] Writes the CUDA texts of `mlaDecode` and the merge behind it for a Hopper GPU, with what launches of them need, for peers/latent.py. Measures nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileStages } from "../../codegen/index.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { mlaDecode, pagedDecodeMerge } from "../../dsl/kernels/catalogue.ts";
import { FEW_PIECES, LONG_PIECES, MANY_PIECES } from "../../engine/layers/decode-options.ts";

/** DeepSeek's: rank of the latents, rotated dims. */
const RANK = 512;
const ROTARY = 64;
const PAGES = [16, 64];

/** usage: latent-texts.ts FOLDER [key=value,key=value…]… with one config a text, e.g. GP=16,BN=32,stages=2,warps=4 */
const [folder = "latent-texts", ...wanted] = process.argv.slice(2);
const DEFAULTS = ["GP=16,BN=32,BS=256,stages=2"];
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
  kernel: typeof mlaDecode | typeof pagedDecodeMerge,
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
  const config = parseConfig(text);
  const { BN = 16, BS = 32, LEAST = 1 } = config;
  const merge = (name: string, pieces: Config) =>
    emit(pagedDecodeMerge, `${name}-${i}.cu`, { BN, BS, LEAST, ...pieces }, { D: RANK });
  return PAGES.map((PAGE) => ({
    name: text,
    page: PAGE,
    decode: emit(mlaDecode, `latent-${i}-${PAGE}.cu`, config, { R: RANK, DR: ROTARY, PAGE }),
    merge: merge("few", LONG_PIECES),
    mergeMany: merge("many", MANY_PIECES),
    mergeWhole: merge("whole", FEW_PIECES),
  }));
});
writeFileSync(join(folder, "texts.json"), JSON.stringify(list, null, 1));
