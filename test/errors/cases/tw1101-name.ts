/** [test/errors/cases] TW1101: names that a kernel cannot capture. */
import { inout, kernel, load, lowerKernel, print, scalar, store } from "../../../dsl/index.ts";

/** A factory: what is local to it differs from call to call. */
function make(factor: number) {
  return kernel({ name: "example", params: { x: inout("f32", "M") }, grid: () => 1 }, ({ x }) => {
    console.log("never");
    store(x, [0], load(x, [0]) * factor);
  });
}

export const fails = () => lowerKernel(make(2));

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel(
      { name: "example", params: { x: inout("f32", "M"), factor: scalar("f32") }, grid: () => 1 },
      ({ x, factor }) => {
        print("factor", factor);
        store(x, [0], load(x, [0]) * factor);
      },
    ),
  );
