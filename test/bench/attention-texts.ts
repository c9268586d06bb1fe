/** [test/bench] Writes the CUDA texts of `attention`, `attentionFp8` and `pagedAttention` for a Hopper GPU, with what a launch needs, for peers/attention.py. Measures nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileStages } from "../../codegen/index.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { attention, attentionFp8, pagedAttention } from "../../dsl/kernels/catalogue.ts";

/**
 * usage: attention-texts.ts FOLDER [D,BM,BN,stages,CAUSAL,heads,DV | fp8,D,BM,BN,stages,CAUSAL,heads | paged,PAGE,D,BM,BN,stages,heads]…
 * Numbers that are left out have the values of the first default.
 */
const [folder = "attention-texts", ...wanted] = process.argv.slice(2);
const DEFAULTS = [
  "128,128,128,2,1",
  "128,128,128,2,0",
  "paged,16,128,128,128,2",
  "paged,64,128,128,128,2",
];
const target = cudaSpec("sm_90a");

function whole(text: string) {
  const numbers = text.split(",").map(Number);
  const [D = 128, BM = 128, BN = 128, stages = 2, CAUSAL = 1, heads = 0, DV = D] = numbers;
  const config = { BM, BN, stages, CAUSAL, heads };
  const specialization = { dtypes: { T: "bf16" }, config, dims: { D, DV } } as const;
  const stagesOf = compileStages(attention, {
    specialization,
    target,
    divisibility: { L: 16, LK: 16 },
  });
  return { ...stagesOf, about: { kind: "whole", D, DV, config } };
}

function fp8(text: string) {
  const numbers = text.split(",").slice(1).map(Number);
  const [D = 128, BM = 128, BN = 128, stages = 2, CAUSAL = 1, heads = 0] = numbers;
  const config = { ...attentionFp8.config, BM, BN, stages, CAUSAL, heads };
  const specialization = { dtypes: { O: "bf16" }, config, dims: { D, DV: D } } as const;
  const stagesOf = compileStages(attentionFp8, {
    specialization,
    target,
    divisibility: { L: 16, LK: 16 },
  });
  return { ...stagesOf, about: { kind: "fp8", D, DV: D, config } };
}

function paged(text: string) {
  const numbers = text.split(",").slice(1).map(Number);
  const [PAGE = 16, D = 128, BM = 128, BN = 128, stages = 2, heads = 0] = numbers;
  const config = { BM, BN, stages, heads };
  const specialization = { dtypes: { T: "bf16" }, config, dims: { D, PAGE } } as const;
  const stagesOf = compileStages(pagedAttention, {
    specialization,
    target,
    divisibility: { MAXB: 16 },
  });
  return {
    ...stagesOf,
    about: { kind: "paged", D, DV: D, PAGE, config: { ...config, CAUSAL: 1 } },
  };
}

mkdirSync(folder, { recursive: true });
const list = (wanted.length > 0 ? wanted : DEFAULTS).map((text) => {
  const make = text.startsWith("paged") ? paged : text.startsWith("fp8") ? fp8 : whole;
  const { artifact, source, about } = make(text);
  const file = `attention-${text.replaceAll(",", "-")}.cu`;
  writeFileSync(join(folder, file), source);
  const { entry, params, threads, sharedBytes } = artifact;
  return { file, ...about, entry, params, threads, sharedBytes };
});
writeFileSync(join(folder, "texts.json"), JSON.stringify(list, null, 1));
