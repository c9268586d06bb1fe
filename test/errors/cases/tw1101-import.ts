/** [test/errors/cases] TW1101: an operation of the language that the file does not import. */
import { inout, kernel, load, lowerKernel, rsqrt as inverseRoot, store } from "../../../dsl/index.ts";

const PARAMS = { x: inout("f32", "M") } as const;

export const fails = () =>
  lowerKernel(
    kernel({ name: "example", params: PARAMS, grid: () => 1 }, ({ x }) => {
      // @ts-expect-error it is not imported
      store(x, [0], rsqrt(load(x, [0])));
    }),
  );

/** The remedy, followed; under another name, or the first kernel would find it. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: PARAMS, grid: () => 1 }, ({ x }) => {
      store(x, [0], inverseRoot(load(x, [0])));
    }),
  );
