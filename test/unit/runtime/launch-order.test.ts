/** [test/unit/runtime] Which dependent launches may start early: none that reads ahead what a launch before may still be writing. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Tensor } from "../../../runtime/device.ts";
import { type LaunchEffects, LaunchOrder } from "../../../runtime/drivers/cuda/launch-order.ts";

const STREAM = 7n;

/** A tensor with a buffer of its own; only the buffer matters here. */
function tensor(): Tensor {
  return { buffer: {} } as Tensor;
}

/** y = f(x, w), where w is read early; tensors in this order. */
const product: LaunchEffects = { waits: true, early: [1], written: [2] };
const plain: LaunchEffects = { waits: true, early: [], written: [1] };
const old: LaunchEffects = { waits: false, early: [], written: [1] };

describe("a launch that reads a weight early", () => {
  const [x, w, y, z] = [tensor(), tensor(), tensor(), tensor()];
  let order: LaunchOrder;
  beforeEach(() => {
    order = new LaunchOrder();
  });

  it("starts early behind launches that write other tensors", () => {
    expect(order.admit(STREAM, plain, [z, x])).toBe(true);
    expect(order.admit(STREAM, product, [x, w, y])).toBe(true);
    expect(order.admit(STREAM, product, [y, w, x])).toBe(true);
  });

  it("waits where the launch before writes its weight", () => {
    order.admit(STREAM, plain, [x, w]);
    expect(order.admit(STREAM, product, [x, w, y])).toBe(false);
    expect(order.admit(STREAM, product, [x, w, z])).toBe(true);
  });

  it("waits where a launch further back does that, which may still run", () => {
    order.admit(STREAM, plain, [x, w]);
    order.admit(STREAM, plain, [x, y]);
    expect(order.admit(STREAM, product, [x, w, z])).toBe(false);
  });

  it("starts early once a launch waited for all before it", () => {
    order.admit(STREAM, plain, [x, w]);
    expect(order.admit(STREAM, old, [x, y])).toBe(false);
    expect(order.admit(STREAM, product, [x, w, z])).toBe(true);
  });

  it("starts early behind a copy, and in another stream", () => {
    order.admit(STREAM, plain, [x, w]);
    expect(order.admit(8n, product, [x, w, y])).toBe(true);
    order.settle(STREAM);
    expect(order.admit(STREAM, product, [x, w, y])).toBe(true);
  });

  it("waits behind a graph whose last launches write its weight, and starts early behind another", () => {
    const captured = 9n;
    order.admit(captured, plain, [x, w]);
    order.admit(captured, plain, [x, z]);
    const written = order.forget(captured);
    order.replay(STREAM, written);
    expect(order.admit(STREAM, product, [x, w, y])).toBe(false);
    expect(order.admit(STREAM, product, [x, w, y])).toBe(true);
    order.replay(STREAM, written);
    expect(order.admit(STREAM, product, [x, tensor(), y])).toBe(true);
    order.admit(captured, old, [x, w]);
    order.admit(captured, old, [x, z]);
    order.replay(STREAM, order.forget(captured));
    expect(order.admit(STREAM, product, [x, w, y])).toBe(true);
  });

  it("waits for a stream with too many buffers to remember", () => {
    for (let i = 0; i < 513; i++) order.admit(STREAM, plain, [x, tensor()]);
    expect(order.admit(STREAM, product, [x, w, y])).toBe(false);
    expect(order.admit(STREAM, product, [x, w, y])).toBe(true);
  });
});
