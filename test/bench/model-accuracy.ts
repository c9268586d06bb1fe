/** [test/bench] Log-probability errors and greedy agreement of the fixture models on one device, as a table and as JSON. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Engine, lastOutput } from "../../index.ts";

interface Case {
  readonly prompt: readonly number[];
  readonly prompt_logprobs: readonly (number | null)[];
  readonly greedy: readonly number[];
  readonly greedy_margin: readonly number[];
}

export interface ModelAccuracy {
  readonly model: string;
  readonly dtype: string;
  /** Largest absolute error of the prompt log-probabilities of each case. */
  readonly errors: readonly number[];
  /** Greedy ids are equal up to the first step whose margin is under 1e-2. */
  readonly greedyAgrees: boolean;
}

const MARGIN = 1e-2;

export async function measureModel(
  folder: string,
  model: string,
  device: string,
  dtype: "float32" | "bfloat16",
): Promise<ModelAccuracy> {
  const { cases } = JSON.parse(readFileSync(join(folder, model, "expected.json"), "utf8")) as {
    readonly cases: readonly Case[];
  };
  const engine = await Engine.load({
    model: join(folder, model),
    device,
    dtype,
    numGpuBlocksOverride: 256,
  });
  try {
    const outputs = await Promise.all(
      cases.map(({ prompt, greedy }) =>
        lastOutput(
          engine.generate(
            { promptTokenIds: prompt },
            { maxTokens: greedy.length, temperature: 0, ignoreEos: true, promptLogprobs: 0 },
          ),
        ),
      ),
    );
    const errors = cases.map(({ prompt_logprobs: expected }, i) =>
      expected.reduce<number>(
        (worst, value, at) =>
          value === null
            ? worst
            : Math.max(
                worst,
                Math.abs(value - (outputs[i]?.promptLogprobs[at]?.logprob ?? Number.NaN)),
              ),
        0,
      ),
    );
    const greedyAgrees = cases.every(({ greedy, greedy_margin: margins }, i) => {
      const firstClose = margins.findIndex((margin) => margin < MARGIN);
      const end = firstClose < 0 ? greedy.length : firstClose;
      return greedy.slice(0, end).every((id, at) => id === outputs[i]?.tokenIds[at]);
    });
    return { model, dtype, errors, greedyAgrees };
  } finally {
    await engine.close();
  }
}

const [folder, device, ...models] = process.argv.slice(2);
if (folder === undefined || device === undefined || models.length === 0) {
  process.stderr.write("usage: tsx test/bench/model-accuracy.ts FIXTURES_FOLDER DEVICE MODEL...\n");
  process.exit(2);
}
const results: ModelAccuracy[] = [];
for (const model of models)
  for (const dtype of ["float32", "bfloat16"] as const)
    results.push(await measureModel(folder, model, device, dtype));
for (const { model, dtype, errors, greedyAgrees } of results) {
  process.stderr.write(
    `${model.padEnd(14)} ${dtype.padEnd(9)} largest error ${Math.max(...errors).toExponential(2)}  greedy ${greedyAgrees ? "agrees" : "differs"}\n`,
  );
}
process.stdout.write(`${JSON.stringify({ device, results })}\n`);
