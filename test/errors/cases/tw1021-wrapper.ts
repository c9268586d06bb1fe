/** [test/errors/cases] TW1021: a kernel defined through a wrapper. */
import { kernel, lowerKernel, tensor } from "../../../dsl/index.ts";

/** The stack of `fails` names line 1, as if the file had changed after the build. */
const moved = kernel({ name: "moved", params: { x: tensor("f32", "M") }, grid: () => 1 }, () => {});

export const fails = () => lowerKernel({ ...moved, name: "renamed", site: { stack: moved.site.stack.replace(/:\d+:\d+/, ":1:1"), raw: "" } });

/** The remedy, followed. */
export const works = () => lowerKernel(moved);
