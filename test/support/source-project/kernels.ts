/** [test/support/source-project] Kernels that capture constants and helpers in every way that is followed. */
import {
  cdiv,
  kernel as define,
  load,
  out,
  pid,
  scalar,
  store,
  tensor,
  tile,
} from "../../../dsl/index.ts";
import * as constants from "./constants.ts";
import { clampLow, raise, shift } from "./door.ts";

const OFFSET = 4 * constants.HALF;

export const captured = define(
  {
    name: "captured",
    params: { x: tensor("f32", "N"), y: out("f32", "N") },
    config: { BN: 128 },
    grid: ({ N }, { BN }) => cdiv(N, BN),
  },
  ({ x, y }, { BN }) => {
    const at = [tile(pid(0), BN)] as const;
    const low = clampLow(load(x, at));
    store(y, at, shift(raise(low)) + OFFSET * constants.BOUNDS.high);
  },
);

export const wrong = define(
  {
    name: "wrong",
    params: { x: tensor("f32", "N"), n: scalar("i32"), y: out("f32", "N") },
    config: { BN: 128 },
    grid: ({ N }, { BN }) => cdiv(N, BN),
  },
  ({ x, n, y }, { BN }) => {
    const sum = load(x, [tile(pid(0), BN)]) + n;
    store(y, [tile(pid(0), BN)], sum);
  },
);
