/** [examples] A fused scale-and-softmax kernel: the one that the README and the quick start show. */
import { all, exp2, kernel, load, max, out, pid, scalar, store, sum, tensor } from "../index.ts";

/** y = softmax(scale · x) along the last dim, one row a program. */
export const scaledSoftmax = kernel(
  {
    name: "scaled_softmax",
    params: { x: tensor("f32", "R", "N"), y: out("f32", "R", "N"), scale: scalar("f32") },
    config: {},
    specialize: ["N"],
    grid: ({ R }) => R,
  },
  ({ x, y, scale, N }) => {
    const row = pid(0);
    const v = load(x, [row, all(N)]) * (scale * Math.LOG2E);
    const e = exp2(v - max(v, "N"));
    store(y, [row, all(N)], e / sum(e, "N"));
  },
);
