/** [engine/weights/quantization] The quantized weight of a layer, of one module or of several that are fused: one scheme, groups that divide, then the reader of the scheme. */
import { ModelError } from "../../../dsl/index.ts";
import { type Checkpoint, concatRows } from "../checkpoint.ts";
import { denseWeight } from "./dense-weight.ts";
import type { QuantizationPlan } from "./plan.ts";
import { type FourBitRows, type QuantizedWeight, stackFourBit } from "./quantized-weight.ts";
import { readEightBit, readPackedBytes } from "./read-eight-bit.ts";
import { readMxfp4, readNf4 } from "./read-four-bit-floats.ts";
import { type ModuleSize, readAwq, readGptq, readPacked } from "./read-gptq.ts";
import type { Scheme } from "./scheme.ts";

/** Tensor without which a module is not quantized, for heads that no list names. */
function markOf(scheme: Scheme): string {
  switch (scheme.kind) {
    case "gptq":
    case "awq":
      return "qweight";
    case "packed":
      return "weight_packed";
    case "nf4":
      return "weight.absmax";
    case "mxfp4":
      return "weight_blocks";
    case "eight-bit":
      return scheme.scale;
    default:
      return scheme satisfies never;
  }
}

/**
 * Scheme that the modules of one layer share.
 * @returns undefined where they are plain
 * @throws ModelError TW4241 where they differ
 */
export function sharedScheme(
  plan: QuantizationPlan,
  checkpoint: Checkpoint,
  modules: readonly string[],
): Scheme | undefined {
  const schemes = modules.map((name) => {
    const scheme = plan.schemeOf(name);
    // A head is a module like others for some tools and none for others.
    const isHead = scheme !== undefined && name.split(".").at(-1) === "lm_head";
    const isMarked = scheme !== undefined && checkpoint.has(`${name}.${markOf(scheme)}`);
    return isHead && !isMarked ? undefined : scheme;
  });
  const [first] = schemes;
  const other = schemes.findIndex((scheme) => JSON.stringify(scheme) !== JSON.stringify(first));
  if (other < 0) return first;
  throw new ModelError({
    code: "TW4241",
    message: "modules that are computed together are quantized differently",
    seen: `${modules[0]}: ${describe(first)}; ${modules[other]}: ${describe(schemes[other])}`,
    expected: `one scheme for ${modules.join(", ")}`,
    remedy: "use a checkpoint that ignores all of them or none",
  });
}

function describe(scheme: Scheme | undefined): string {
  return scheme === undefined ? "not quantized" : JSON.stringify(scheme);
}

/** Columns that share a scale in a scheme of 4 bits; 0 for all, or where the tensors say it. */
function groupIn(scheme: Scheme): number {
  switch (scheme.kind) {
    case "gptq":
    case "awq":
    case "packed":
      return scheme.group;
    case "mxfp4":
      return 32;
    case "nf4":
    case "eight-bit":
      return 0;
    default:
      return scheme satisfies never;
  }
}

/** Sizes along K that the words of a scheme and the tiles of the kernels share out; others are refused. */
function checkSizes(scheme: Scheme, modules: readonly ModuleSize[]): void {
  if (scheme.kind === "eight-bit") return;
  const group = groupIn(scheme);
  const isPowerOfTwo = group === 0 || (group >= 16 && 2 ** Math.round(Math.log2(group)) === group);
  const hasWords = scheme.kind === "gptq" || scheme.kind === "awq" || scheme.kind === "packed";
  const step = hasWords ? 8 : 2;
  const bad = modules.find(
    ({ inputs, rows }) =>
      inputs % step !== 0 || (group > 0 && inputs % group !== 0) || (hasWords && rows % 8 !== 0),
  );
  if (isPowerOfTwo && bad === undefined) return;
  throw new ModelError({
    code: "TW4242",
    message: `a weight cannot be shared out in groups of the ${scheme.kind} scheme`,
    seen: `groups of ${group}${bad === undefined ? "" : `, ${bad.name}: ${bad.rows} rows of ${bad.inputs} columns`}`,
    expected: `a power of two from 16 on that divides the columns${hasWords ? ", and multiples of 8 rows" : ""}`,
    remedy: "quantize the model with a group size that divides all of its layers",
  });
}

/**
 * Reads the weight of a layer.
 * @param modules stacked along their rows
 * @returns undefined where tensors are missing or misshapen, which `checkpoint.finish()` reports
 */
export function readQuantized(
  checkpoint: Checkpoint,
  scheme: Scheme,
  modules: readonly ModuleSize[],
): QuantizedWeight | undefined {
  checkSizes(scheme, modules);
  switch (scheme.kind) {
    case "gptq":
      return stacked(modules, (size) => readGptq(checkpoint, size, scheme));
    case "awq":
      return stacked(modules, (size) => readAwq(checkpoint, size, scheme));
    case "packed":
      if (scheme.bits === 4)
        return stacked(modules, (size) => readPacked(checkpoint, size, scheme));
      return dense(modules.map((size) => readPackedBytes(checkpoint, size, scheme)));
    case "nf4":
      return stacked(modules, (size) => readNf4(checkpoint, size));
    case "mxfp4":
      return stacked(modules, (size) => readMxfp4(checkpoint, size));
    case "eight-bit":
      return readEightBit(checkpoint, modules, scheme);
    default:
      return scheme satisfies never;
  }
}

function dense(read: readonly ReturnType<typeof readPackedBytes>[]): QuantizedWeight | undefined {
  const found = read.filter((tensor) => tensor !== undefined);
  return found.length < read.length ? undefined : { kind: "dense", weight: concatRows(found) };
}

function stacked(
  modules: readonly ModuleSize[],
  read: (size: ModuleSize) => FourBitRows | undefined,
): QuantizedWeight | undefined {
  const parts = modules.map(read);
  const found = parts.filter((part) => part !== undefined);
  if (found.length < parts.length) return undefined;
  const [first] = found;
  const formOf = (part: FourBitRows | undefined): string =>
    `scales ${part?.scale.dtype}[${part?.scale.shape[1]}] of each row`;
  const unlike = found.findIndex((part) => formOf(part) !== formOf(first));
  if (unlike >= 0)
    throw new ModelError({
      code: "TW4241",
      message: "modules that are computed together are quantized differently",
      seen: `${modules[0]?.name}: ${formOf(first)}; ${modules[unlike]?.name}: ${formOf(found[unlike])}`,
      expected: `one form of scales for ${modules.map(({ name }) => name).join(", ")}`,
      remedy: "use a checkpoint whose modules share their groups",
    });
  const other = found.findIndex(({ order }) => order?.join() !== first?.order?.join());
  if (other < 0) return stackFourBit(found);
  // One launch has one order of activations: with several the weight is kept as floats, which have none.
  const floats = found.map((part) => denseWeight(stackFourBit([part])));
  return { kind: "dense", weight: concatRows(floats) };
}
