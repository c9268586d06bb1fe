/** [test/errors/cases] TW1020: a kernel whose source cannot be read. */
import { kernel, kernelFromSource, lowerKernel, tensor } from "../../../dsl/index.ts";

const defined = kernel({ name: "example", params: { x: tensor("f32", "M") }, grid: () => 1 }, () => {});

/** As it would be in a bundle without source maps that was moved after it was built. */
export const fails = () => lowerKernel({ ...defined, site: { stack: "Error\n    at bundle.js:1:1", raw: "" } });

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernelFromSource(
      'import { kernel, tensor } from "tilewright";\n' +
        'export const example = kernel({ name: "example", params: { x: tensor("f32", "M") }, grid: () => 1 }, () => {});',
      "example",
    ),
  );
