/** [dsl/ops] swizzle2d: order of output tiles that keeps operands in the L2 cache, from primitives. */
import { defineOp } from "./define-op.ts";

/**
 * Maps program `p` to a tile (row, column) so that `group` rows of tiles are walked column by column.
 * @param p in [0, rows * columns)
 * @param rows number of tile rows
 * @param columns number of tile columns
 * @param group tile rows in a group, > 0; the last group may be smaller
 */
export const swizzle2d = defineOp<
  (p: number, rows: number, columns: number, group: number) => [number, number]
>({
  name: "swizzle2d",
  signature: "swizzle2d(p, rows, columns, group)",
  doc: "Grouped order of output tiles.",
  lower: (call) => {
    call.count(4);
    const [p, rows, columns, group] = call.integers("p", "rows", "columns", "group");
    const programs = call.binary("mul", group, columns);
    const first = call.binary("mul", call.binary("floordiv", p, programs), group);
    const height = call.binary("min", call.binary("sub", rows, first), group);
    const inside = call.binary("mod", p, programs);
    const row = call.binary("add", first, call.binary("mod", inside, height));
    return { kind: "array", items: [row, call.binary("floordiv", inside, height)] };
  },
});
