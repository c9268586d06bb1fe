/** [examples] 19: one result of several programs. The last program to arrive puts the parts together; where a device cannot order programs, a second kernel does. */
import {
  all,
  cdiv,
  emptyTensor,
  inout,
  kernel,
  lastArrival,
  load,
  out,
  pid,
  readTensor,
  store,
  sum,
  tensor,
  tensorFrom,
  tile,
} from "../index.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/**
 * The sum of a long row: each program adds up BN elements, the last one all parts, always in the order of the parts. No program waits:
 * lastArrival counts it and says whether it was the last. The counter is 0 again afterwards, so the next launch finds it as this one did.
 */
const sumInOne = kernel(
  {
    name: "sum_in_one",
    params: {
      x: tensor("f32", "N"),
      parts: inout("f32", "P"),
      arrived: inout("i32", 1),
      y: out("f32", 1),
    },
    config: { BN: 256 },
    specialize: ["P"],
    grid: ({ P }) => P,
  },
  ({ x, parts, arrived, y, P }, { BN }) => {
    store(parts, [pid(0)], sum(load(x, [tile(pid(0), BN)]), "BN"));
    if (lastArrival(arrived, [0], P)) store(y, [0], sum(load(parts, [all(P)]), "P"));
  },
);

/** The same as two launches, of which the second starts when the first is over. */
const sumOfParts = kernel(
  {
    name: "sum_of_parts",
    params: { x: tensor("f32", "N"), parts: out("f32", "P") },
    config: { BN: 256 },
    grid: ({ N }, { BN }) => cdiv(N, BN),
  },
  ({ x, parts }, { BN }) => {
    store(parts, [pid(0)], sum(load(x, [tile(pid(0), BN)]), "BN"));
  },
);

const sumOfAll = kernel(
  {
    name: "sum_of_all",
    params: { parts: tensor("f32", "P"), y: out("f32", 1) },
    specialize: ["P"],
    grid: () => 1,
  },
  ({ parts, y, P }) => {
    store(y, [0], sum(load(parts, [all(P)]), "P"));
  },
);

export const main: Example = async (device) => {
  const [N, P] = [4000, 16];
  const numbers = noise(N, 19);
  const x = tensorFrom(device, "f32", [N], numbers);
  const parts = emptyTensor(device, "f32", [P]);
  const y = emptyTensor(device, "f32", [1]);
  const expected = [numbers.reduce((total, value) => total + value, 0)];
  device.launch(sumOfParts, { x, parts });
  device.launch(sumOfAll, { parts, y });
  check("a sum in two launches", await readTensor(y), expected);
  if (!device.info.features.includes("last-arrival")) return;
  const arrived = tensorFrom(device, "i32", [1], [0]);
  for (const launch of ["first", "second"]) {
    device.launch(sumInOne, { x, parts, arrived, y });
    check(`a sum in one launch, the ${launch}`, await readTensor(y), expected);
  }
};

await runByHand(import.meta.url, main);
