/** [examples] 10: a target of one's own. The folder 10-javascript makes JavaScript of kernels and runs it; here it is added and put to the test. */
import {
  axis,
  CoreDevice,
  compile,
  type Device,
  emptyTensor,
  kernel,
  load,
  out,
  readTensor,
  registerTarget,
  span,
  store,
  tensor,
  tensorFrom,
  UnsupportedError,
} from "../index.ts";
import { matmul, rectify } from "./04-matmul.ts";
import { JavaScriptBackend } from "./10-javascript/driver.ts";
import { javascript } from "./10-javascript/target.ts";
import { check, type Example, noise, runByHand } from "./example.ts";
import { scaledSoftmax } from "./softmax.ts";

/** From here on the compiler knows the name. A driver that others open would be a line in their code, not in ours. */
registerTarget(javascript);

/** A reduction, with barriers between threads; the same launch on both devices. */
async function softmax(device: Device): Promise<Float32Array> {
  const [rows, width] = [3, 61];
  const x = tensorFrom(device, "f32", [rows, width], noise(rows * width, 21));
  const y = emptyTensor(device, "f32", [rows, width]);
  device.launch(scaledSoftmax, { x, y, scale: 4 });
  return Float32Array.from(await readTensor(y));
}

/** A matrix product whose edges are masked, with an op of ours at its end. */
async function rectified(device: Device): Promise<Float32Array> {
  const [M, N, K] = [10, 33, 20];
  const x = tensorFrom(device, "f32", [M, K], noise(M * K, 22));
  const w = tensorFrom(device, "f32", [N, K], noise(N * K, 23));
  const y = emptyTensor(device, "f32", [M, N]);
  device.launch(matmul, { x, w, y }, { functions: { epilogue: rectify } });
  return Float32Array.from(await readTensor(y));
}

/** Dtypes that the target leaves to others are refused by name, before anything runs. */
function refusal(): string {
  const narrow = kernel(
    { name: "narrow", params: { x: tensor("f16", "N"), y: out("f16", "N") }, grid: () => 1 },
    ({ x, y }) => store(y, [span(0, axis("B", 4))], load(x, [span(0, axis("B", 4))])),
  );
  try {
    compile(narrow, { specialization: {}, target: javascript.defaultSpec() });
  } catch (error) {
    if (error instanceof UnsupportedError && error.code === "TW2301") return error.message;
    throw error;
  }
  throw new Error("f16 was not refused");
}

export const main: Example = async (device) => {
  const own = new CoreDevice(new JavaScriptBackend());
  try {
    check("softmax in JavaScript", await softmax(own), await softmax(device));
    check("a product in JavaScript", await rectified(own), await rectified(device));
  } finally {
    await own.close();
  }
  console.log(`refused: ${refusal().split("\n", 1)[0]}`);
  const { text } = compile(scaledSoftmax, {
    specialization: { dims: { N: 61 } },
    target: javascript.defaultSpec(),
  });
  const lines = text.split("\n");
  console.log(`softmax in ${lines.length} lines of JavaScript; its first barrier:`);
  const barrier = lines.findIndex((line) => line.trim() === "yield;");
  for (const line of lines.slice(Math.max(0, barrier - 2), barrier + 2)) console.log(line);
};

await runByHand(import.meta.url, main);
