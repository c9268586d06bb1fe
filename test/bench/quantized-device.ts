/**
 * [test/bench] Quantized checkpoints of every scheme on one device, for machines without the test runner: distance of all log-probabilities from
 * plain loops over the numbers in the files. `tsx test/bench/quantized-device.ts [DEVICE] [TITLE…]`: schemes whose titles start so.
 */
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { type Device, openDevice } from "../../index.ts";
import {
  removeQuantized,
  SCHEMES,
  type Scheme,
  writeQuantized,
} from "../support/quantized/checkpoints.ts";
import { logProbabilitiesOf } from "../support/quantized/plain-model.ts";

const PARAMS = {
  maxTokens: 2,
  temperature: 0,
  ignoreEos: true,
  logprobs: 0,
  promptLogprobs: 0,
} as const;

async function distance(scheme: Scheme, device: Device): Promise<number> {
  const { folder, rest, moduleOf } = writeQuantized(scheme);
  const engine = await Engine.load({ model: folder, device, dtype: "float32", maxModelLen: 64 });
  try {
    const outputs = await new RequestGroup(engine, scheme.prompts, PARAMS).finish();
    let worst = 0;
    outputs.forEach(({ tokenIds, logprobs, promptLogprobs }, i) => {
      const tokens = [...(scheme.prompts[i] ?? []), ...tokenIds];
      const expected = logProbabilitiesOf(tokens.slice(0, -1), rest, moduleOf, { count: 0 });
      const seen = [...promptLogprobs.slice(1), ...(logprobs ?? [])];
      expected.forEach((row, t) => {
        const want = row[tokens[t + 1] ?? 0] ?? Number.NaN;
        const error = Math.abs((seen[t]?.logprob ?? Number.NaN) - want);
        worst = Math.max(worst, error);
      });
    });
    return worst;
  } finally {
    await engine.close();
  }
}

const [name = "interpreter", ...titles] = process.argv.slice(2);
const device = await openDevice(name);
console.log(`${device.info.name}: ${device.info.features.join(", ")}`);
let failures = 0;
for (const scheme of SCHEMES) {
  if (titles.length > 0 && !titles.some((title) => scheme.title.startsWith(title))) continue;
  // wgmma adds 8-bit floats with 14 bits, which takes some activations over the edge of two codes; all else is f32.
  const isCoarse = scheme.hasFloatCodes === true && device.info.features.includes("wgmma");
  const bound = isCoarse ? 0.2 : 1e-3;
  const error = await distance(scheme, device);
  const isRight = error < bound;
  if (!isRight) failures++;
  console.log(
    `${isRight ? "ok    " : "FAILED"} ${scheme.title}: ${error.toExponential(1)} of ${bound}`,
  );
}
await device.close();
removeQuantized();
process.exitCode = failures === 0 ? 0 : 1;
