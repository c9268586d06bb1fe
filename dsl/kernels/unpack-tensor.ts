/** [dsl/kernels] Packed tensors back to row-major order: the inverse of pack-tensor.ts. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import {
  cdiv,
  floordiv,
  gather,
  iota,
  load,
  mod,
  pid,
  store,
  tile,
  where,
} from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type KernelInputs,
  type Problem,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { eachPlace, PACK_CONFIG, PACK_SHAPES, packDigits, packSample } from "./pack-order.ts";

/**
 * Every element from its place in the packed tensor; what fills edges up is not read.
 * @param x `[P]`, as pack_tensor makes it with the same config
 * @param y `[H, R, C]`
 */
export const unpackTensor = kernel(
  {
    name: "unpack_tensor",
    dtypes: { T: ["u4", "u8", "f16", "bf16", "i32"] },
    params: { x: tensor("T", "P"), y: out("T", "H", "R", "C") },
    config: { ...PACK_CONFIG, B: 256 },
    // Rows are too many for any axis but the first: cuda has 65535 programs along the others.
    grid: ({ H, R, C }, { B }) => [R * cdiv(C, B), H],
  },
  ({ x, y, R, C }, c) => {
    const across = cdiv(C, c.B);
    const row = floordiv(pid(0), across);
    const piece = mod(pid(0), across);
    const column = piece * c.B + iota(c.B); // [B]
    const down = cdiv(R, c.BR);
    const blockRow = pid(1) * down + floordiv(row, c.BR);
    const block = blockRow * cdiv(C, c.BC) + floordiv(column, c.BC);
    const inRow = mod(row, c.BR);
    const inColumn = mod(column, c.BC);
    let place = block * (c.BR * c.BC);
    let weight = 1;
    for (const { extent, rows, columns } of packDigits(c)) {
      if (rows > 0) place = place + mod(floordiv(inRow, rows), extent) * weight;
      if (columns > 0) place = place + mod(floordiv(inColumn, columns), extent) * weight;
      weight = weight * extent;
    }
    const value = load(x, [gather(where(column < C, place, -1))]);
    store(y, [pid(1), row, tile(piece, c.B)], value);
  },
);

function inputs(problem: Problem): KernelInputs {
  const shape = [dimOf(problem, "P")];
  return { tensors: { x: packSample(problem, dtypeOf(problem, "T"), shape) }, scalars: {} };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const data = new Float64Array(tensorOf(call, "y").data.length);
  eachPlace(call, (place, element) => {
    if (element >= 0) data[element] = x.data[place] ?? 0;
  });
  return { y: { data, tolerance: { kind: "exact" } as const } };
}

export const unpackTensorEntry = defineKernelEntry({
  kernel: unpackTensor,
  samples: forDTypes("T", ["i32", "f16", "bf16", "u8", "u4"], PACK_SHAPES),
  inputs,
  reference,
  bytes: (problem) => 2 * storageBytes(dtypeOf(problem, "T"), dimOf(problem, "P")),
  flops: () => 0,
});
