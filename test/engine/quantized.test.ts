/** [test/engine] Quantized checkpoints of every scheme: the engine gives what plain loops over the numbers in the files give; what cannot be loaded is refused by name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TARGETS } from "../../codegen/index.ts";
import { readFlag } from "../../dsl/index.ts";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { CoreDevice, type Device, openDevice } from "../../runtime/index.ts";
import { describeDevices } from "../support/devices.ts";
import { EmulatedBackend } from "../support/emulated-backend.ts";
import { openEmulation } from "../support/emulation.ts";
import {
  removeQuantized,
  SCHEMES,
  type Scheme,
  writeQuantized,
} from "../support/quantized/checkpoints.ts";
import { logProbabilitiesOf } from "../support/quantized/plain-model.ts";

afterAll(removeQuantized);

/** One from the prefill, one from a step of its own. */
const NEW_TOKENS = 2;

async function outputsOf(folder: string, prompts: Scheme["prompts"], device: Device) {
  const engine = await Engine.load({ model: folder, device, dtype: "float32", maxModelLen: 64 });
  try {
    const params = {
      maxTokens: NEW_TOKENS,
      temperature: 0,
      ignoreEos: true,
      logprobs: 0,
      promptLogprobs: 0,
    };
    return await new RequestGroup(engine, prompts, params).finish();
  } finally {
    await engine.close();
  }
}

/** Largest distance of the log-probabilities of all prompt and new tokens. */
async function distance(
  scheme: Scheme,
  device: Device,
  plain: readonly string[] = [],
): Promise<number> {
  const { folder, rest, moduleOf } = writeQuantized(scheme, plain);
  const outputs = await outputsOf(folder, scheme.prompts, device);
  const edges = { count: 0 };
  let worst = 0;
  outputs.forEach(({ tokenIds, logprobs, promptLogprobs }, i) => {
    const tokens = [...(scheme.prompts[i] ?? []), ...tokenIds];
    const expected = logProbabilitiesOf(tokens.slice(0, -1), rest, moduleOf, edges);
    const seen = [...promptLogprobs.slice(1), ...(logprobs ?? [])];
    expect(seen).toHaveLength(expected.length);
    seen.forEach((entry, t) => {
      const want = expected[t]?.[tokens[t + 1] ?? 0] ?? Number.NaN;
      worst = Math.max(worst, Math.abs((entry?.logprob ?? Number.NaN) - want));
    });
  });
  // Another seed is needed where an activation may take either of two codes.
  if (plain.length === 0) expect(edges.count).toBe(0);
  return worst;
}

/** wgmma adds 8-bit floats with 14 bits, which takes some activations over the edge of two codes; all else is f32. */
function boundFor({ hasFloatCodes }: Scheme, { info }: Device): number {
  return hasFloatCodes && info.features.includes("wgmma") ? 0.2 : 1e-3;
}

/** The first scheme whose title starts so, with other fields of its config. */
function schemeLike(title: string, more: Scheme["config"]): Scheme {
  const scheme = SCHEMES.find((one) => one.title.startsWith(title));
  if (scheme === undefined) throw new Error(`no scheme ${title}`);
  return { ...scheme, config: { ...scheme.config, ...more } };
}

const ATTENTION = ["q_proj", "k_proj", "v_proj"].map((part) => `model.layers.0.self_attn.${part}`);

describe("modules that are left as they are", () => {
  let device: Device;
  beforeAll(async () => {
    device = await openDevice("interpreter");
  });
  afterAll(() => device.close());

  it.each([
    ["mxfp4", "modules_to_not_convert", ["layers.0.self_attn.qkv_proj"], ATTENTION],
    ["fp8, blocks", "ignored_layers", ATTENTION, ATTENTION],
    [
      "compressed-tensors pack-quantized, channels",
      "ignore",
      ["lm_head", "re:.*down_proj$"],
      [0, 1].map((i) => `model.layers.${i}.mlp.down_proj`),
    ],
  ] as const)("%s with %s %j", async (title, field, listed, plain) => {
    expect(await distance(schemeLike(title, { [field]: listed }), device, plain)).toBeLessThan(
      1e-3,
    );
  });

  it("cannot be a part of those that are computed together", async () => {
    const [query = ""] = ATTENTION;
    const { folder } = writeQuantized(schemeLike("gptq", { modules_to_not_convert: [query] }), [
      query,
    ]);
    await expect(outputsOf(folder, [[1]], device)).rejects.toThrow(
      /TW4241[\s\S]*q_proj: not quantized[\s\S]*k_proj: \{"kind":"gptq"/,
    );
  });

  it.each([
    [
      "a group that does not divide",
      { group_size: 96 },
      /TW4242[\s\S]*groups of 96[\s\S]*power of two/,
    ],
    ["a group past the columns", { group_size: 512 }, /TW4242[\s\S]*256 columns/],
    ["other groups than the files'", { group_size: 64 }, /TW4205[\s\S]*qzeros[\s\S]*\[4, 32\]/],
  ])("are refused: %s", async (_, more, message) => {
    const { folder } = writeQuantized(schemeLike("gptq, symmetric", more));
    await expect(outputsOf(folder, [[1]], device)).rejects.toThrow(message);
  });
});

await describeDevices("a quantized checkpoint", (device) => {
  // Kept as floats, as those of 8 bits are: nothing new for a GPU in software.
  const isQuick = device.info.driver === "interpreter" || device.info.hardware;
  const schemes = SCHEMES.filter(({ hasOwnOrders = false }) => isQuick || !hasOwnOrders);
  it.each(schemes)("of $title", async (scheme) => {
    expect(await distance(scheme, device)).toBeLessThan(boundFor(scheme, device));
  });
});

/** With seeds for which no activation lies at the edge of two codes. */
const WITH_EXPERTS: readonly (readonly [title: string, seed: number])[] = [
  ["gptq, zero points", 11],
  ["gptq, act-order, groups", 11],
  ["awq, groups of 64", 11],
  ["compressed-tensors pack-quantized, channels", 11],
  ["bitsandbytes nf4, scales", 11],
  ["mxfp4", 11],
  ["fp8, dynamic", 11],
  ["fp8, static", 13],
  ["fp8, blocks", 13],
  ["compressed-tensors int-quantized", 20],
];

await describeDevices(
  "a quantized checkpoint with experts",
  (device) => {
    it.each(WITH_EXPERTS)("of %s", async (title, seed) => {
      const scheme = { ...schemeLike(title, {}), seed, hasExperts: true, prompts: [[7, 90]] };
      expect(await distance(scheme, device)).toBeLessThan(boundFor(scheme, device));
    });
  },
  ["interpreter", "cuda"],
);

const emulation = openEmulation();
if ("reason" in emulation) {
  if (readFlag("requireDrivers") === "1") throw new Error(emulation.reason);
  console.warn(`skipped: a quantized checkpoint on emulated GPUs: ${emulation.reason}`);
  describe.skip(`a quantized checkpoint on emulated GPUs (${emulation.reason})`, () => {});
} else {
  it.each([
    ["cuda", "sm_80", "awq"],
    ["cuda", "sm_90a", "compressed-tensors int"],
    ["hip", "gfx90a", "fp8, static"],
  ] as const)("%s for %s takes a checkpoint of %s", async (name, arch, title) => {
    const target = TARGETS[name].defaultSpec(arch);
    const device = new CoreDevice(new EmulatedBackend(emulation, { target, check: false }));
    expect(await distance(schemeLike(title, {}), device)).toBeLessThan(1e-3);
    await device.close();
  });
}
