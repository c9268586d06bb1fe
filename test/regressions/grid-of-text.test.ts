/** [test/regressions] A kernel given as text may leave out what its grid function does not need, as any function may. */
import { expect, it } from "vitest";
import { kernelFromSource } from "../../dsl/index.ts";

const textWith = (grid: string): string => `
import { kernel, load, out, pid, store, tensor } from "tilewright";
export const twice = kernel(
  { name: "twice", params: { x: tensor("f32", "M"), y: out("f32", "M") }, config: { B: 4 }, grid: ${grid} },
  ({ x, y }) => { store(y, [pid(0)], load(x, [pid(0)]) * 2); },
);
`;

it.each([
  ["() => [3, 2]", [3, 2]],
  ["({ M }) => M", 8],
  ["({ M }, { B }) => [M, B]", [8, 4]],
] as const)("reads %s", (grid, expected) => {
  const kernel = kernelFromSource(textWith(grid), "twice");
  expect(kernel.grid({ M: 8 }, kernel.config)).toEqual(expected);
});
