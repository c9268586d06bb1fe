/** [test/support] Runs tile IR with packed tensors on the thread executor: orders chosen or given, values put where they say. */

import type { Remark } from "../../codegen/ir/scheduled.ts";
import {
  blockPlaces,
  matrixShape,
  type PackedOrder,
  packedElements,
  type TensorOrder,
} from "../../codegen/layout/packed-order.ts";
import { createContext } from "../../codegen/passes/pass.ts";
import { runPasses } from "../../codegen/run-passes.ts";
import { TARGETS } from "../../codegen/targets/catalogue.ts";
import { parseKernel } from "../../dsl/ir/parse.ts";
import { divisorOf, THREAD_TARGETS, type ThreadTargetName } from "./run-threads.ts";
import type { RunInput } from "./run-tile-ir.ts";
import { executeThreads } from "./thread-executor.ts";

/** Values in the order of storage; what fills edges up is 0. */
export function packValues(
  order: PackedOrder,
  shape: readonly number[],
  values: readonly number[],
): Float64Array {
  const { count, rows, columns } = matrixShape(shape);
  const [height, width] = order.block;
  const places = blockPlaces(order);
  const out = new Float64Array(packedElements(order, shape));
  let at = 0;
  for (let matrix = 0; matrix < count; matrix++)
    for (let top = 0; top < rows; top += height)
      for (let left = 0; left < columns; left += width)
        places.rows.forEach((inRow, i) => {
          const [row, column] = [top + inRow, left + (places.columns[i] ?? 0)];
          if (row < rows && column < columns)
            out[at] = values[(matrix * rows + row) * columns + column] ?? 0;
          at++;
        });
  return out;
}

export interface PackedRun {
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  readonly problems: readonly string[];
  readonly orders: Readonly<Record<string, PackedOrder>>;
  readonly remarks: readonly Remark[];
}

export function runPackedOnThreads(
  text: string,
  input: RunInput,
  name: ThreadTargetName,
  given: Readonly<Record<string, TensorOrder>> = {},
): PackedRun {
  const tile = parseKernel(text);
  const dims: Record<string, number> = {};
  for (const param of tile.params)
    if (param.kind === "tensor")
      param.shape.forEach((dim, i) => {
        if (dim.name !== undefined) dims[dim.name] = input.tensors[param.name]?.shape[i] ?? 0;
      });
  const spec = THREAD_TARGETS[name];
  const divisibility = Object.fromEntries(tile.dims.map((d) => [d, divisorOf(dims[d] ?? 1)]));
  const context = createContext(spec, divisibility, given);
  const { scheduled, thread } = runPasses(tile, TARGETS[spec.target].pipeline, context);
  const orders = scheduled.orders ?? {};
  const tensors = Object.fromEntries(
    Object.entries(input.tensors).map(([tensor, { shape, values }]) => {
      const count = shape.reduce((n, size) => n * size, 1);
      const plain = values ?? new Array<number>(count).fill(0);
      const order = orders[tensor];
      const data = order === undefined ? Float64Array.from(plain) : packValues(order, shape, plain);
      return [tensor, data];
    }),
  );
  const [x = 1, y = 1, z = 1] = input.grid ?? [1];
  const scalars = input.scalars ?? {};
  const problems = executeThreads(thread, { tensors, dims, scalars, grid: [x, y, z] });
  const outputs = Object.fromEntries(
    Object.entries(tensors).flatMap(([t, data]) => (t in orders ? [] : [[t, [...data]]])),
  );
  return { outputs, problems, orders, remarks: context.remarks };
}
