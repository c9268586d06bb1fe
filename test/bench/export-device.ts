/**
 * [test/bench] Kernels compiled ahead of time by `tilewright build`, then launched from the files by a process that finds no compiler, whole
 * outputs against the references. `tsx test/bench/export-device.ts [cuda:sm_90a]`
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  compareTensors,
  encodeArray,
  formatComparison,
  type KernelDefinition,
} from "../../dsl/index.ts";
import { KERNEL_ENTRIES, makeSample, type Problem } from "../../dsl/kernels/catalogue.ts";
import {
  type CoreDevice,
  openDevice,
  readExported,
  readTensor,
  type Tensor,
  tensorFrom,
} from "../../runtime/index.ts";

/** Kernel, its file, and the sample that is built and launched: warp roles, tensor maps, packed weights, experts, rows. */
const CASES = [
  ["rms_norm", "rms-norm", "model row, T=bf16"],
  ["linear", "linear", "default blocks, T=bf16 O=bf16"],
  ["linear_w4", "linear-w4", "groups of 64, T=bf16 W=u4 S=bf16"],
  ["linear_fp8", "linear-fp8", "default blocks, O=bf16"],
  ["moe_gemm_quantized", "moe-gemm-quantized", "groups of 64, T=bf16 W=u4 SC=bf16"],
  ["attention", "attention", "head dim 80, T=bf16"],
] as const;
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

function sampleOf(name: string, title: string) {
  const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === name);
  const problem = entry?.samples.find((one) => one.name === title);
  if (entry === undefined || problem === undefined) throw new Error(`no sample ${name}: ${title}`);
  return { entry, problem };
}

function flagsOf(
  { dtypes, dims, config = {} }: Problem,
  { specialize, params }: KernelDefinition,
): readonly string[] {
  const flags = (name: string, values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).flatMap(([key, value]) => [`--${name}`, `${key}=${value}`]);
  const fixed: Record<string, number> = {};
  const divisible: Record<string, number> = {};
  // Of rows of matrices; a launch knows few other divisors.
  const rows = Object.values(params).map(
    (param) => (param.kind === "tensor" && param.shape.length > 1 && param.shape.at(-1)) || "",
  );
  for (const [dim, size] of Object.entries(dims)) {
    if (specialize.includes(dim)) fixed[dim] = size;
    else if (rows.includes(dim)) divisible[dim] = [16, 8, 4, 2].find((by) => size % by === 0) ?? 1;
  }
  return [
    ...[...flags("dtype", dtypes), ...flags("dim", fixed), ...flags("config", config)],
    ...flags("divisible", divisible),
  ];
}

function build(folder: string, target: string): void {
  for (const [name, file, title] of CASES) {
    const { entry, problem } = sampleOf(name, title);
    const command = ["engine/cli/main.ts", "build", `dsl/kernels/${file}.ts`, "--kernel", name];
    const flags = [...flagsOf(problem, entry.kernel), "--target", target, "-o", folder];
    const begin = performance.now();
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--import", "tsx", ...command, ...flags],
      { cwd: ROOT, encoding: "utf8" },
    );
    if (status !== 0) throw new Error(stderr);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`built ${name}, ${title}, in ${seconds} s`);
    if (/no binary/.test(stderr)) throw new Error(stderr);
  }
}

/** @returns how many outputs are wrong */
async function launchAll(folder: string, driver: string): Promise<number> {
  const device = (await openDevice(driver === "wgsl" ? "webgpu" : driver, {
    compiler: "optional",
  })) as CoreDevice;
  console.log(`${device.info.name}: ${JSON.stringify(device.info.versions)}`);
  let failures = 0;
  for (const [name, , title] of CASES) {
    const { entry, problem } = sampleOf(name, title);
    const sample = makeSample(entry, problem);
    const exported = await readExported(pathToFileURL(join(folder, `${name}.json`)));
    const tensors: Record<string, Tensor> = {};
    let packed = 0;
    for (const param of exported.manifest.params) {
      const host = sample.tensors[param.name];
      if (param.kind !== "tensor" || host === undefined) continue;
      const { dtype, shape, data } = host;
      tensors[param.name] =
        param.packed === true
          ? exported.pack(device, param.name, shape, encodeArray(dtype, data))
          : tensorFrom(device, dtype, shape, data);
      if (tensors[param.name]?.order !== undefined) packed++;
    }
    exported.launch(device, { ...tensors, ...sample.scalars });
    for (const [output, { data, tolerance }] of Object.entries(sample.expected)) {
      const [tensor, host] = [tensors[output], sample.tensors[output]];
      if (tensor === undefined || host === undefined) throw new Error(`no output ${output}`);
      const seen = compareTensors(await readTensor(tensor), data, host.dtype, tolerance);
      if (seen.mismatches > 0) failures++;
      console.log(
        seen.mismatches > 0
          ? `FAILED ${name}: ${formatComparison(output, host.shape, seen)}`
          : `ok     ${name}, ${title}: worst ${seen.worst.toFixed(3)} of the tolerance${packed > 0 ? `, ${packed} packed` : ""}`,
      );
    }
  }
  const { compiles, diskHits } = device.cacheStatistics;
  console.log(`compiles ${compiles}, hits of the cache ${diskHits}`);
  await device.close();
  return failures + compiles + diskHits;
}

const [target = "cuda:sm_90a", built] = process.argv.slice(2);
if (built !== undefined) {
  process.exitCode = (await launchAll(built, target.split(":")[0] ?? "")) === 0 ? 0 : 1;
} else {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-export-"));
  try {
    build(folder, target);
    const script = fileURLToPath(import.meta.url);
    const absent = join(folder, "no-compiler");
    const env = { TILEWRIGHT_NVRTC: absent, TILEWRIGHT_CACHE_DIR: "off" };
    const { status } = spawnSync(process.execPath, ["--import", "tsx", script, target, folder], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: "inherit",
    });
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
