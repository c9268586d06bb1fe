/** [test/errors/cases] TW1026: a grid that is no data, because its function is made where the source does not show it. */
import { cdiv, inout, kernel, load, lowerGrid, pid, store } from "../../../dsl/index.ts";

const params = { x: inout("f32", "M") } as const;
const blocksOf = (size: number) => ({ M }: { readonly M: number }) => cdiv(M, size);
const wrong = kernel(
  { name: "example", params, grid: blocksOf(16) },
  ({ x }) => store(x, [pid(0)], load(x, [pid(0)])),
);
const right = kernel(
  { name: "example", params, grid: ({ M }) => [cdiv(M, 16)] },
  ({ x }) => store(x, [pid(0)], load(x, [pid(0)])),
);

export const fails = () => lowerGrid(wrong, {});

/** The remedy, followed. */
export const works = () => lowerGrid(right, {});
