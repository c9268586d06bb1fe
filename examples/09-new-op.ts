/** [examples] 9: an op of one's own. A function of ops is an op; it is inlined where it is called and given to any kernel that takes one. */
import {
  cdiv,
  compile,
  deviceFunction,
  emptyTensor,
  exp,
  fnParam,
  kernel,
  load,
  log,
  maximum,
  out,
  pid,
  readTensor,
  store,
  TARGETS,
  tensor,
  tensorFrom,
  tile,
} from "../index.ts";
import { matmul, product } from "./04-matmul.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

/**
 * ln(1 + eˣ) without overflow: the power is never of more than 0. Decomposed into ops that every target has, so it runs everywhere and
 * the interpreter is its reference. An op of the language itself is such a composition in a file of `dsl/ops/`, with a record of its
 * name, signature and doc; the test of OPERATIONS.md and the conformance suite find it there.
 */
export const softplus = deviceFunction(
  (x: number) => maximum(x, 0) + log(1 + exp(-maximum(x, -x))),
);

/** y = f(x), for any f. */
export const map = kernel(
  {
    name: "map",
    params: { x: tensor("f32", "N"), y: out("f32", "N"), f: fnParam((v: number) => v) },
    config: { BLOCK: 128 },
    grid: ({ N }, { BLOCK }) => cdiv(N, BLOCK),
  },
  ({ x, y, f }, { BLOCK }) => {
    const at = tile(pid(0), BLOCK);
    store(y, [at], f(load(x, [at])));
  },
);

const plainSoftplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

export const main: Example = async (device) => {
  const x = noise(300, 15).map((value) => 100 * value); // e¹⁰⁰ is past f32
  const y = emptyTensor(device, "f32", [300]);
  const functions = { f: softplus };
  device.launch(map, { x: tensorFrom(device, "f32", [300], x), y }, { functions });
  check("softplus", await readTensor(y), x.map(plainSoftplus));

  // The same op as the epilogue of example 4: one kernel, no second pass over memory.
  const sizes = { M: 10, N: 33, K: 20 };
  const { M, N, K } = sizes;
  const [a, w] = [noise(M * K, 16), noise(N * K, 17)];
  const z = emptyTensor(device, "f32", [M, N]);
  device.launch(
    matmul,
    { x: tensorFrom(device, "f32", [M, K], a), w: tensorFrom(device, "f32", [N, K], w), y: z },
    { functions: { epilogue: softplus } },
  );
  check("softplus(x · wᵀ)", await readTensor(z), product(a, w, sizes).map(plainSoftplus));

  const target = TARGETS.wgsl.defaultSpec();
  const { text } = compile(map, { specialization: { functions }, target });
  const body = text.slice(text.indexOf("@compute")).split("\n");
  const line = body.find((one) => one.includes("log("));
  if (line === undefined) throw new Error("the text has no logarithm: the op was not inlined");
  console.log(`in WGSL: ${line.trim()}`);
};

await runByHand(import.meta.url, main);
