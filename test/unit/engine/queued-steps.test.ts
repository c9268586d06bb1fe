/** [test/unit/engine] A step is queued as a whole: when its submission returns, every launch of it has been made, scores of prompts and pooled states included. */
import { expect, it } from "vitest";
import { Engine } from "../../../engine/engine.ts";
import { loadModel } from "../../../engine/load.ts";
import { lastOutput } from "../../../engine/request-group.ts";
import { writeTinyModel } from "../../support/tiny-model.ts";

it("queues scores of prompts and pooled states with the step that computes them, and frees what it took", async () => {
  const options = { model: writeTinyModel(), device: "interpreter", asyncScheduling: false };
  const model = await loadModel({ ...options, maxNumBatchedTokens: 512 });
  const { device, runner } = model;
  let [launches, live] = [0, 0];
  const [launch, alloc, free] = [device.launch, device.alloc, device.free].map((one) =>
    (one as (...args: unknown[]) => unknown).bind(device),
  );
  Object.assign(device, {
    launch: (...args: unknown[]) => {
      launches++;
      return launch?.(...args);
    },
    alloc: (...args: unknown[]) => {
      live++;
      return alloc?.(...args);
    },
    free: (...args: unknown[]) => {
      live--;
      return free?.(...args);
    },
  });
  const steps: (readonly [queued: number, run: number])[] = [];
  const submit = runner.submit.bind(runner);
  Object.assign(runner, {
    submit: async (...[plan]: Parameters<typeof submit>) => {
      const before = launches;
      const result = submit(plan);
      const queued = launches - before;
      const outputs = await result;
      steps.push([queued, launches - before]);
      return outputs;
    },
  });
  const engine = Engine.over(model, options);
  const params = { maxTokens: 2, temperature: 0, ignoreEos: true } as const;
  const held = live;
  await Promise.all([
    lastOutput(engine.generate("a prompt with scores", { ...params, promptLogprobs: 2 })),
    lastOutput(engine.generate("a prompt that is pooled", { ...params, pooling: "mean" })),
    lastOutput(engine.generate("a plain one", { ...params, logprobs: 1 })),
  ]);
  expect(steps.length).toBeGreaterThan(1);
  for (const [queued, run] of steps) expect([queued > 5, run]).toEqual([true, queued]);
  expect(live).toBe(held);
  await engine.close();
});
