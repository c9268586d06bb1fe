/** [test/fuzz] 300 clients that vanish, read slowly or send slowly, as sockets at a real server: no page, no request and no rejection is left. More by run.ts beside it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LoadedModel, loadModel } from "../../../engine/load.ts";
import { writeTinyModel } from "../../support/tiny-model.ts";
import { socketRound } from "./socket-round.ts";

const ROUNDS = 6;
const A_ROUND = 50;

let model: LoadedModel;
let rejected = 0;
const count = () => void rejected++;
beforeAll(async () => {
  model = await loadModel({ model: writeTinyModel(), device: "null" });
  process.on("unhandledRejection", count);
});
afterAll(async () => {
  process.off("unhandledRejection", count);
  await model.device.close();
});

it("leaves nothing behind, wherever clients go and however they read and send", async () => {
  const ends: Record<string, number> = {};
  let [numAborted, numPreemptions] = [0, 0];
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const report = await socketRound(model, seed, A_ROUND);
    expect(report.problems, `round of seed ${seed}`).toEqual([]);
    for (const [end, times] of Object.entries(report.ends)) ends[end] = (ends[end] ?? 0) + times;
    numAborted += report.numAborted;
    numPreemptions += report.numPreemptions;
  }
  expect(rejected).toBe(0);
  // The rounds must reach what they are there to break.
  expect(ends["answered"]).toBeGreaterThan(80);
  expect(ends["vanished"]).toBeGreaterThan(40);
  expect(ends["broken off"]).toBeGreaterThan(30);
  expect(numAborted).toBeGreaterThan(10);
  expect(numPreemptions).toBeGreaterThan(0);
}, 60_000);
