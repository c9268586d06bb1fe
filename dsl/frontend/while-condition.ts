/** [dsl/frontend] Whether the condition of a while can change from one trip to the next. What a loop becomes is in lower-loop.ts. */
import type { Location } from "../core/location.ts";
import type { Block } from "../ir/nodes.ts";
import { operands, readsMemory, regions, results } from "../ir/visit.ts";
import type { Lowering } from "./lowering.ts";

/**
 * A condition changes when it reads memory or follows from a variable that the body assigns.
 * @param test the block that computes the condition, its parameters the variables that the body assigns
 * @throws TW1175 for one that stays: where it is true the loop would hang the device
 */
export function requireChange(lw: Lowering, test: Block, loc: Location): void {
  const changing = new Set(test.params.map((param) => param.id));
  for (const op of test.ops) {
    const changes =
      readsMemory(op) ||
      regions(op).length > 0 ||
      operands(op).some((value) => changing.has(value.id));
    if (changes) for (const value of results(op)) changing.add(value.id);
  }
  if (test.yields.some((value) => changing.has(value.id))) return;
  lw.fail("TW1175", loc, {
    message: "nothing that the loop does changes the condition of while",
    seen: "a condition that is the same on every trip",
    expected: "a condition over variables that the body assigns, or over what it loads",
    remedy: "assign one of its variables in the body, or write if for what runs once",
  });
}
