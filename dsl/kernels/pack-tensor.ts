/** [dsl/kernels] Row-major tensors to a packed order: the device's repacker. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, scalar, tensor } from "../language.ts";
import {
  cast,
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
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { eachPlace, PACK_CONFIG, PACK_SHAPES, packDigits, packSample } from "./pack-order.ts";

/**
 * Every place of the packed tensor from its element; edges get `pad`. Elements are moved as they are stored: u4 stands for every
 * type of 4 bits, u8 for those of 8, i32 for those of 32.
 * @param x `[H, R, C]`, H matrices
 * @param y `[P]`, P = H · cdiv(R, BR) · BR · cdiv(C, BC) · BC
 * @param pad code of 0
 */
export const packTensor = kernel(
  {
    name: "pack_tensor",
    dtypes: { T: ["u4", "u8", "f16", "bf16", "i32"] },
    params: { x: tensor("T", "H", "R", "C"), y: out("T", "P"), pad: scalar("i32") },
    config: { ...PACK_CONFIG, B: 1024 },
    grid: ({ P }, { B }) => cdiv(P, B),
  },
  ({ x, y, pad, T, R, C, P }, c) => {
    const place = pid(0) * c.B + iota(c.B); // [B]
    const across = cdiv(C, c.BC);
    const down = cdiv(R, c.BR);
    const block = floordiv(place, c.BR * c.BC);
    let row = mod(floordiv(block, across), down) * c.BR;
    let column = mod(block, across) * c.BC;
    let rest = mod(place, c.BR * c.BC);
    for (const { extent, rows, columns } of packDigits(c)) {
      if (extent > 1) {
        const digit = mod(rest, extent);
        row = row + digit * rows;
        column = column + digit * columns;
        rest = floordiv(rest, extent);
      }
    }
    const inside = place < P && row < R && column < C;
    const matrix = where(inside, floordiv(block, across * down), -1);
    const at = [gather(matrix), gather(where(inside, row, -1)), gather(where(inside, column, -1))];
    store(y, [tile(pid(0), c.B)], where(inside, load(x, at), cast(pad, T)));
  },
);

function inputs(problem: Problem): KernelInputs {
  const shape = ["H", "R", "C"].map((dim) => dimOf(problem, dim));
  const dtype = dtypeOf(problem, "T");
  const pad = dtype === "u4" ? 7 : 0;
  return { tensors: { x: packSample(problem, dtype, shape) }, scalars: { pad } };
}

function reference(call: ReferenceCall) {
  const x = tensorOf(call, "x");
  const data = new Float64Array(dimOf(call.problem, "P"));
  eachPlace(call, (place, element) => {
    data[place] = element < 0 ? scalarOf(call, "pad") : (x.data[element] ?? 0);
  });
  return { y: { data, tolerance: { kind: "exact" } as const } };
}

export const packTensorEntry = defineKernelEntry({
  kernel: packTensor,
  samples: forDTypes("T", ["i32", "f16", "bf16", "u8", "u4"], PACK_SHAPES),
  inputs,
  reference,
  bytes: (problem) => 2 * storageBytes(dtypeOf(problem, "T"), dimOf(problem, "P")),
  flops: () => 0,
});
