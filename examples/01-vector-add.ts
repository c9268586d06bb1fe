/** [examples] 1: one function over tiles, a grid of programs, and edges that need no code. */
import {
  cdiv,
  emptyTensor,
  kernel,
  load,
  out,
  pid,
  readTensor,
  store,
  tensor,
  tensorFrom,
  tile,
} from "../index.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/**
 * c = a + b. Each program takes one block of BLOCK elements. `tile(p, BLOCK)` is block p of a dim; where the last block reaches past
 * the tensor, loads read 0 and stores write nothing.
 */
export const vectorAdd = kernel(
  {
    name: "vector_add",
    params: { a: tensor("f32", "N"), b: tensor("f32", "N"), c: out("f32", "N") },
    config: { BLOCK: 256 },
    grid: ({ N }, { BLOCK }) => cdiv(N, BLOCK),
  },
  ({ a, b, c }, { BLOCK }) => {
    const at = tile(pid(0), BLOCK);
    store(c, [at], load(a, [at]) + load(b, [at]));
  },
);

export const main: Example = async (device) => {
  const n = 1000; // three whole blocks and a part of one
  const [a, b] = [noise(n, 1), noise(n, 2)];
  const c = emptyTensor(device, "f32", [n]);
  device.launch(vectorAdd, {
    a: tensorFrom(device, "f32", [n], a),
    b: tensorFrom(device, "f32", [n], b),
    c,
  });
  check(
    "a + b",
    await readTensor(c),
    a.map((value, i) => value + (b[i] ?? 0)),
  );
};

await runByHand(import.meta.url, main);
