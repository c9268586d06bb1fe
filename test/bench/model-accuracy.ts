/** [test/bench] Log-probability errors and greedy agreement of the fixture models on one device, as a table and as JSON. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
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
  /** Whether decodes were captured and replayed, or launched one by one. */
  readonly captured: boolean;
  /** Largest absolute error of the prompt log-probabilities of each case. */
  readonly errors: readonly number[];
  /** Greedy ids are equal up to the first step whose margin is under 1e-2. */
  readonly greedyAgrees: boolean;
  readonly greedy: readonly (readonly number[])[];
}

const MARGIN = 1e-2;

export async function measureModel(
  folder: string,
  model: string,
  device: string,
  dtype: "float32" | "bfloat16",
  enforceEager: boolean,
): Promise<ModelAccuracy> {
  const { cases } = JSON.parse(readFileSync(join(folder, model, "expected.json"), "utf8")) as {
    readonly cases: readonly Case[];
  };
  const engine = await Engine.load({
    model: join(folder, model),
    device,
    dtype,
    numGpuBlocksOverride: 256,
    enforceEager,
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
    const ids = outputs.map(({ tokenIds }) => tokenIds);
    return { model, dtype, captured: !enforceEager, errors, greedyAgrees, greedy: ids };
  } finally {
    await engine.close();
  }
}

/** The checkpoints of a folder: all that have reference values, where none is named. */
function modelsOf(folder: string, named: readonly string[]): readonly string[] {
  if (named.length > 0) return named;
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, "expected.json")));
}

const [folder, device, ...named] = process.argv.slice(2);
if (folder === undefined || device === undefined) {
  process.stderr.write(
    "usage: tsx test/bench/model-accuracy.ts FIXTURES_FOLDER DEVICE [MODEL...]\n",
  );
  process.exit(2);
}
const results: ModelAccuracy[] = [];
for (const model of modelsOf(folder, named)) {
  for (const dtype of ["float32", "bfloat16"] as const) {
    const [captured, eager] = [
      await measureModel(folder, model, device, dtype, false),
      await measureModel(folder, model, device, dtype, true),
    ];
    results.push(captured, eager);
    const same = JSON.stringify(captured.greedy) === JSON.stringify(eager.greedy);
    const worst = (of: ModelAccuracy) => Math.max(...of.errors).toExponential(2);
    const verdict = (of: ModelAccuracy) => (of.greedyAgrees ? "agrees" : "differs");
    process.stderr.write(
      `${model.padEnd(14)} ${dtype.padEnd(9)} captured: largest error ${worst(captured)}, greedy ${verdict(captured)}; one by one: ${worst(eager)}, ${verdict(eager)}; ids of both ${same ? "equal" : "differ"}\n`,
    );
  }
}
process.stdout.write(`${JSON.stringify({ device, results })}\n`);
