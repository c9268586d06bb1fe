/** [codegen/passes] Computes equal pure expressions once. Loads count as pure where nothing writes their tensor. */
import {
  type Block,
  formatDefinition,
  formatOp,
  mapOperands,
  mapRegions,
  type Op,
  type TileKernel,
  type Value,
} from "../../dsl/index.ts";

/** Text of an op without its result's name, or undefined where it must not be shared. */
function keyOf(op: Op, readOnly: ReadonlySet<string>): string | undefined {
  switch (op.kind) {
    case "store":
    case "atomic":
    case "for":
    case "while":
    case "if":
    case "if_any":
    case "assert":
    case "print":
    case "slot":
      return undefined;
    case "load":
      if (!readOnly.has(op.tensor)) return undefined;
      break;
    default:
  }
  if (!("result" in op)) return undefined;
  const definition = formatDefinition(op.result);
  const type = definition.slice(definition.indexOf(":"));
  return `${type}${formatOp(op).slice(definition.length)}`;
}

export function eliminateCommon(kernel: TileKernel): TileKernel {
  // What roles copy is theirs: two slots may hold the same tile.
  const hasRoles = kernel.body.ops.some(({ kind }) => kind === "roles");
  const readOnly = new Set(
    kernel.params.flatMap((p) =>
      p.kind === "tensor" && p.access === "in" && !hasRoles ? [p.name] : [],
    ),
  );
  const replaced = new Map<number, Value>();
  const use = (value: Value): Value => replaced.get(value.id) ?? value;
  const enter = (block: Block, outer: ReadonlyMap<string, Value>): Block => {
    const known = new Map(outer);
    const ops = block.ops.flatMap((original): readonly Op[] => {
      const op = mapOperands(original, use);
      const key = keyOf(op, readOnly);
      if (key === undefined || !("result" in op))
        return [mapRegions(op, (inner) => enter(inner, known))];
      const same = known.get(key);
      if (same === undefined) {
        known.set(key, op.result);
        return [op];
      }
      replaced.set(op.result.id, same);
      return [];
    });
    return { params: block.params, ops, yields: block.yields.map(use) };
  };
  return { ...kernel, body: enter(kernel.body, new Map()) };
}
