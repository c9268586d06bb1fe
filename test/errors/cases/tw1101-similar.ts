/** [test/errors/cases] TW1101: names that look like others: of a param, of a variable of the body, of an operation that is not imported. */
import { inout, kernel, load, lowerKernel, maximum as larger, scalar, store } from "../../../dsl/index.ts";

const PARAMS = { x: inout("f32", "M"), scale: scalar("f32") } as const;

export const fails = () =>
  lowerKernel(
    kernel({ name: "example", params: PARAMS, grid: () => 1 }, ({ x, scale }) => {
      const loaded = load(x, [0]);
      // @ts-expect-error it is `loaded`, `scale` and `maximum`
      store(x, [0], maximun(laoded, scael));
    }),
  );

/** The remedy, followed. */
export const works = () =>
  lowerKernel(
    kernel({ name: "example", params: PARAMS, grid: () => 1 }, ({ x, scale }) => {
      const loaded = load(x, [0]);
      store(x, [0], larger(loaded, scale));
    }),
  );
