/** [test/engine] Activations become 8 bits in the norms and gates before the products: how many launches a step makes, and the bits of launches apart. */
import { afterAll, describe, expect, it } from "vitest";
import type { KernelDefinition } from "../../dsl/index.ts";
import {
  addRmsNorm,
  addRmsNormQuantize,
  quantizeRows,
  rmsNorm,
  rmsNormQuantize,
  siluAndMul,
  siluAndMulQuantize,
} from "../../dsl/kernels/catalogue.ts";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { type Device, emptyTensor, openDevice, type Tensor } from "../../runtime/index.ts";
import { removeQuantized, SCHEMES, writeQuantized } from "../support/quantized/checkpoints.ts";

type Arguments = Parameters<Device["launch"]>[1];

afterAll(removeQuantized);

/** The same device with `launch` in place of its own. */
function withLaunch(device: Device, launch: Device["launch"]): Device {
  return new Proxy(device, {
    get(target, key) {
      if (key === "launch") return launch;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** What each fused kernel does, before quantize_rows. */
const APART = new Map<KernelDefinition, KernelDefinition>([
  [rmsNormQuantize, rmsNorm],
  [addRmsNormQuantize, addRmsNorm],
  [siluAndMulQuantize, siluAndMul],
]);

/** Every fused launch as two, through floats of the arguments' dtype. */
function launchApart(device: Device): Device["launch"] {
  return (kernel, args, options) => {
    const plain = APART.get(kernel);
    if (plain === undefined) return device.launch(kernel, args, options);
    const { q, scale, ...rest } = args as Arguments & {
      readonly q: Tensor;
      readonly scale: Tensor;
    };
    const { dtype } = rest["x"] as Tensor;
    const y = emptyTensor(device, dtype, q.shape);
    device.launch(plain, { ...rest, y });
    device.launch(quantizeRows, { x: y, q, scale });
    device.free(y.buffer);
  };
}

async function run(title: string, deviceOf: (device: Device) => Device) {
  const scheme = SCHEMES.find((one) => one.title.startsWith(title));
  if (scheme === undefined) throw new Error(`no scheme ${title}`);
  const { folder } = writeQuantized(scheme);
  const own = await openDevice("interpreter");
  const device = deviceOf(own);
  const engine = await Engine.load({ model: folder, device, dtype: "float32", maxModelLen: 64 });
  const params = { maxTokens: 2, temperature: 0, ignoreEos: true, promptLogprobs: 0, logprobs: 0 };
  const outputs = await new RequestGroup(engine, scheme.prompts, params).finish();
  await engine.close();
  await own.close();
  return outputs.map(({ tokenIds, logprobs, promptLogprobs }) => [
    tokenIds,
    logprobs?.map((entry) => entry.logprob),
    promptLogprobs.slice(1).map((entry) => entry?.logprob),
  ]);
}

const TITLES = ["fp8, blocks", "compressed-tensors int-quantized"];

describe.each(TITLES)("%s", (title) => {
  it("quantizes in norms and gates, with the bits of launches apart", async () => {
    const counts = new Map<string, number>();
    const fused = await run(title, (device) =>
      withLaunch(device, (kernel, args, options) => {
        counts.set(kernel.name, (counts.get(kernel.name) ?? 0) + 1);
        device.launch(kernel, args, options);
      }),
    );
    const steps = counts.get("rms_norm_quantize") ?? 0; // the first norm of each
    const [layers, of] = [2, (name: string) => (counts.get(name) ?? 0) / steps];
    expect(steps).toBeGreaterThan(1);
    expect(of("add_rms_norm_quantize")).toBe(2 * layers - 1);
    expect(of("silu_and_mul_quantize")).toBe(layers);
    // Alone before the output projection only, and the last norm is for the head, which has floats.
    expect(of("quantize_rows")).toBe(layers);
    expect([of("rms_norm"), of("add_rms_norm"), of("silu_and_mul")]).toEqual([0, 1, 0]);
    expect(await run(title, (device) => withLaunch(device, launchApart(device)))).toEqual(fused);
  });
});
