/** [test/fuzz] 2,000 random requests through engine and scheduler over a runner that checks what each position finds in its pages. More by run.ts beside it. */
import { expect, it } from "vitest";
import { loadModel } from "../../../engine/load.ts";
import { writeTinyModel } from "../../support/tiny-model.ts";
import { serveRound } from "./round.ts";

const REQUESTS = 2000;
const A_ROUND = 40;

it("bug class 30, pages leak: 2,000 random requests end as they must, and no page is lost", async () => {
  const model = await loadModel({ model: writeTinyModel(), device: "null" });
  let [numRequests, numPreemptions, cachedTokens, overlapped] = [0, 0, 0, 0];
  for (let seed = 1; numRequests < REQUESTS; seed++) {
    const report = await serveRound(model, seed, A_ROUND);
    expect(report.problems, `round of seed ${seed}`).toEqual([]);
    numRequests += report.numRequests;
    numPreemptions += report.numPreemptions;
    cachedTokens += report.cachedTokens;
    overlapped += report.overlappedSteps ? 1 : 0;
  }
  // The rounds must reach what they are there to break.
  expect(numPreemptions).toBeGreaterThan(100);
  expect(cachedTokens).toBeGreaterThan(1000);
  expect(overlapped).toBeGreaterThan(5);
  await model.device.close();
}, 60_000);
