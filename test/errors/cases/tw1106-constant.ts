/** [test/errors/cases] TW1106: a module constant that needs the kernel to run. */
import { inout, kernel, kernelFromSource, lowerKernel, pid, store } from "../../../dsl/index.ts";

export const fails = () =>
  lowerKernel(
    kernelFromSource(
      `import { inout, kernel, pid, store } from "tilewright";
const FIRST = pid(0);
export const example = kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
  store(x, [FIRST], 1);
});`,
      "example",
    ),
  );

const first = () => pid(0);

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
      store(x, [first()], 1);
    }),
  );
