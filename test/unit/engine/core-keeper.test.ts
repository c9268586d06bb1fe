/** [test/unit/engine] Who keeps a core: one that ends is started again, also when that fails at first; in the end it stays down; closing waits for no start. */
import { describe, expect, it } from "vitest";
import { CoreKeeper } from "../../../engine/core-keeper.ts";
import type { CoreLink, CoreListener } from "../../../engine/core-link.ts";

/** A core that does nothing but end when it is told to. */
class FakeCore implements CoreLink {
  readonly stats = {
    numRunning: 0,
    numWaiting: 0,
    numPreemptions: 0,
    numSteps: 0,
    prefixQueried: 0,
    prefixHits: 0,
    sharedPositions: 0,
    numFreePages: 0,
  };
  readonly pid = 0;
  readonly listener: CoreListener;
  isClosed = false;
  constructor(listener: CoreListener) {
    this.listener = listener;
  }
  add(): void {}
  abort(): void {}
  resetPrefixCache(): void {}
  async sleep() {
    return { freedBytes: 1, hostBytes: 0 };
  }
  async wake(): Promise<void> {}
  async close(): Promise<void> {
    this.isClosed = true;
  }
  end(): void {
    this.listener.fail(new Error("it ended"));
  }
}

/** @param failures starts that fail before one does not */
function keep(failures = 0) {
  const cores: FakeCore[] = [];
  const lost: string[] = [];
  let left = failures;
  const make = (listener: CoreListener): CoreLink => {
    const core = new FakeCore(listener);
    cores.push(core);
    return core;
  };
  const restart = async (listener: CoreListener) => {
    if (left-- > 0) throw new Error("no start today");
    return make(listener);
  };
  const keeper = new CoreKeeper(make, restart, {
    report: () => {},
    lost: ({ message }) => void lost.push(message),
  });
  return { keeper, cores, lost };
}

describe("a core that ends", () => {
  it("is closed, and another is started, awake", async () => {
    const { keeper, cores, lost } = keep();
    await keeper.sleep(1);
    expect(keeper.sleepLevel).toBe(1);
    cores[0]?.end();
    expect([lost, keeper.isRestarting, keeper.sleepLevel]).toEqual([["it ended"], true, undefined]);
    await expect.poll(() => keeper.isRestarting).toBe(false);
    expect([cores.length, cores[0]?.isClosed, keeper.core === cores[1]]).toEqual([2, true, true]);
    expect(keeper.failure).toBeUndefined();
  });

  it("is started again when a start fails once", async () => {
    const { keeper, cores } = keep(1);
    cores[0]?.end();
    await expect.poll(() => keeper.isRestarting, { timeout: 3000 }).toBe(false);
    expect([keeper.failure, cores.length]).toEqual([undefined, 2]);
  });

  it("stays down after more than three ends within a minute", async () => {
    const { keeper, cores } = keep();
    for (let i = 0; i < 4; i++) {
      await expect.poll(() => keeper.isRestarting).toBe(false);
      cores.at(-1)?.end();
    }
    expect([keeper.isRestarting, keeper.failure?.message]).toEqual([false, "it ended"]);
  });

  it("is given up at once when it is closed while another starts", async () => {
    const { keeper, cores } = keep(Number.POSITIVE_INFINITY);
    cores[0]?.end();
    const start = performance.now();
    await keeper.close();
    expect(performance.now() - start).toBeLessThan(200); // and not after the pauses between starts
    expect(keeper.failure).toBeUndefined();
  });
});
