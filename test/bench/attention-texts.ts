/** [test/bench] Writes the CUDA text of `attention` for a Hopper GPU, with what a launch of it needs, for peers/attention.py. Measures nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileStages } from "../../codegen/index.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { attention } from "../../dsl/kernels/catalogue.ts";

/** usage: attention-texts.ts FOLDER [D BM BN stages CAUSAL heads]… with commas between the numbers of one text */
const [folder = "attention-texts", ...wanted] = process.argv.slice(2);
const DEFAULTS = ["128,128,128,2,1", "128,128,128,2,0"];
mkdirSync(folder, { recursive: true });
const list = (wanted.length > 0 ? wanted : DEFAULTS).map((text) => {
  const [D = 128, BM = 128, BN = 128, stages = 2, CAUSAL = 1, heads = 0] = text
    .split(",")
    .map(Number);
  const config = { BM, BN, stages, CAUSAL, heads };
  const { artifact, source } = compileStages(attention, {
    specialization: { dtypes: { T: "bf16" }, config, dims: { D } },
    target: cudaSpec("sm_90a"),
    divisibility: { L: 16, LK: 16 },
  });
  const file = `attention-${text.replaceAll(",", "-")}.cu`;
  writeFileSync(join(folder, file), source);
  const { entry, params, threads, sharedBytes } = artifact;
  return { file, D, config, entry, params, threads, sharedBytes };
});
writeFileSync(join(folder, "texts.json"), JSON.stringify(list, null, 1));
