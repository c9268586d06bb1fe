/** [test/errors/cases] TW1025: a generated record that would have to be run. */
import { kernel, kernelFromSource, lowerKernel, tensor } from "../../../dsl/index.ts";

const text = (dtype: string) => `import { kernel, tensor } from "tilewright";
const pick = () => "f32";
export const example = kernel({ name: "example", params: { x: tensor(${dtype}, "M") }, grid: () => 1 }, () => {});`;

export const fails = () => kernelFromSource(text("pick()"), "example");

/** The remedy, followed. */
export const works = () => lowerKernel(kernelFromSource(text('"f32"'), "example"));
