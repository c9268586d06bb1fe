/** [examples] 13: a schedule, apart from the algorithm. The same kernel with wishes about roles, rings and orders, and what became of each. */
import { linear } from "../dsl/kernels/catalogue.ts";
import {
  compile,
  emptyTensor,
  explain,
  readTensor,
  type Schedule,
  scheduleConfig,
  scheduled,
  TARGETS,
  tensorFrom,
} from "../index.ts";
import { check, type Example, noise, runByHand } from "./example.ts";

const tiles = { BM: 64, BN: 64, BK: 32, stages: 4 };

/** What a launch of bf16 tensors would ask for. */
function requestOf(arch: string) {
  return {
    specialization: { dtypes: { T: "bf16", O: "bf16" }, config: tiles },
    divisibility: { M: 16, N: 16, K: 16 },
    target: TARGETS.cuda.defaultSpec(arch),
  } as const;
}

/** Few programs and a long sum: two blocks of a cluster share the trips of each program, which fills twice the multiprocessors. */
const shared: Schedule = { splitK: 2 };

/** Sums in order and one block a program: slower, and the same bits wherever a row stands. */
const steady: Schedule = { stages: 3, backwards: false, persistent: false };

export const main: Example = async (device) => {
  const kernel = scheduled(linear, steady); // `linear` itself stays as it is
  const hopper = explain(kernel, requestOf("sm_90a"));
  console.log("on sm_90a:", hopper.schedule);
  if (!hopper.schedule["backwards"]?.startsWith("as asked"))
    throw new Error("the order of sums is not as asked");
  if (compile(kernel, requestOf("sm_90a")).text === compile(linear, requestOf("sm_90a")).text)
    throw new Error("the schedule changed nothing");

  // The kernel is not the only place: a config carries wishes too, as `--config schedule.splitK=2` of the commands does.
  const { specialization, ...rest } = requestOf("sm_90a");
  const config = { ...specialization.config, ...scheduleConfig(shared) };
  const halves = explain(linear, { ...rest, specialization: { ...specialization, config } });
  console.log("with splitK:", halves.schedule);
  if (!halves.schedule["splitK"]?.startsWith("as asked"))
    throw new Error("the trips of a program are not shared");

  // Where there are no roles the wishes are remarks, never errors; the slots of the ring are there too.
  const ampere = explain(kernel, requestOf("sm_80"));
  console.log("on sm_80:", ampere.schedule);
  if (!ampere.schedule["persistent"]?.startsWith("does not apply"))
    throw new Error("a wish that cannot be met was not answered");

  // No schedule changes what is computed; a launch takes it as any other kernel.
  const [M, N, K] = [20, 24, 36];
  const [x, w] = [noise(M * K, 31), noise(N * K, 32)];
  const y = emptyTensor(device, "f32", [M, N]);
  const operands = {
    x: tensorFrom(device, "f32", [M, K], x),
    w: tensorFrom(device, "f32", [N, K], w),
  };
  device.launch(kernel, { ...operands, y }, { config: { BM: 16, BN: 16, BK: 16 } });
  const expected = Array.from({ length: M * N }, (_, i) => {
    const [row, column] = [Math.floor(i / N), i % N];
    let sum = 0;
    for (let k = 0; k < K; k++) sum += (x[row * K + k] ?? 0) * (w[column * K + k] ?? 0);
    return sum;
  });
  check("scheduled product", await readTensor(y), expected, 1e-4);
};

await runByHand(import.meta.url, main);
