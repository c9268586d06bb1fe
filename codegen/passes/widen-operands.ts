/** [codegen/passes] Casts the operands of dots without mma or wgmma to the dtype of the result, so that plain multiply-add reads them as they are. Runs after pad-axes, when shapes are final. */
import { type Block, mapRegions, type Op, type TileKernel, ValueSource } from "../../dsl/index.ts";
import { canUseMma } from "../schedule/choose-dots.ts";
import { findRoleLoop } from "../schedule/find-role-loop.ts";
import type { PassContext } from "./pass.ts";
import { TileBuilder } from "./tile-builder.ts";

export function widenOperands(kernel: TileKernel, context: PassContext): TileKernel {
  const source = new ValueSource(kernel);
  const roles = findRoleLoop(kernel, { ...context, remark: () => {} });
  const enter = (block: Block): Block => ({
    ...block,
    ops: block.ops.flatMap((original): readonly Op[] => {
      const op = mapRegions(original, enter);
      // Dots that the kernel starts itself read slots as they are.
      if (op.kind !== "dot" || op.async === true || canUseMma(op, context)) return [op];
      if (roles?.dots.some(({ dot }) => dot.result.id === op.result.id) === true) return [op];
      const builder = new TileBuilder(source, op.loc);
      const { dtype } = op.result.type;
      const [a, b] = [builder.cast(op.a, dtype), builder.cast(op.b, dtype)];
      return [...builder.ops, { ...op, a, b }];
    }),
  });
  return { ...kernel, body: enter(kernel.body) };
}
