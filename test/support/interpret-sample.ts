/** [test/support] Runs a kernel sample in the interpreter with all checks; poison counts as memory that nobody wrote. */
import { decodeArray, encodeArray } from "../../dsl/core/rounding.ts";
import { lowerKernel } from "../../dsl/frontend/lower-kernel.ts";
import { interpret } from "../../dsl/interpreter/program.ts";
import type { HostTensor, KernelSample } from "../../dsl/kernels/define-kernel-entry.ts";
import { POISON_PAGE } from "../../dsl/kernels/paged-samples.ts";

/** Tensors whose NaN is data that the kernel does read. */
const NAN_IS_DATA: ReadonlySet<string> = new Set([
  "moe_route.logits",
  "moe_route_sigmoid.logits",
  "page_copy.vCache",
  "page_widen.vCache",
  "sample.logits",
]);

/** Sizes of the grid of a sample. */
export function gridOf(sample: KernelSample): readonly number[] {
  const config = { ...sample.kernel.config, ...sample.specialization.config };
  const grid = sample.kernel.grid(sample.dims, config as Readonly<Record<string, number>>);
  return typeof grid === "number" ? [grid] : grid;
}

/**
 * @returns contents of every tensor after the run, as plain numbers
 * @throws KernelRunError when a program reads poison, leaves a tensor, or races with another program
 */
export function interpretSample(sample: KernelSample): Readonly<Record<string, ArrayLike<number>>> {
  const { tile } = lowerKernel(sample.kernel, sample.specialization);
  const tensors = Object.fromEntries(
    Object.entries(sample.tensors).map(([name, tensor]) => [
      name,
      {
        data: encodeArray(tensor.dtype, tensor.data),
        shape: tensor.shape,
        initialised: initialisedOf(tensor, `${sample.kernel.name}.${name}`),
      },
    ]),
  );
  interpret(tile, { tensors, scalars: sample.scalars, grid: gridOf(sample) });
  return Object.fromEntries(
    Object.entries(sample.tensors).map(([name, { dtype, data }]) => [
      name,
      decodeArray(dtype, tensors[name]?.data ?? new Uint8Array(), data.length),
    ]),
  );
}

function initialisedOf(tensor: HostTensor, name: string): Uint8Array {
  const isPoison = (value: number) =>
    name.endsWith(".table") ? value === POISON_PAGE : Number.isNaN(value) && !NAN_IS_DATA.has(name);
  return Uint8Array.from(tensor.data, (value) => (isPoison(value) ? 0 : 1));
}
