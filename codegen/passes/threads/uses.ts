/** [codegen/passes/threads] Where the values of a scheduled kernel are defined and how often they are used. */
import type { SBlock, SFor, SOp, SValue } from "../../ir/scheduled.ts";
import { scheduledOperands, scheduledRegions, scheduledResults } from "../../ir/visit-scheduled.ts";

export type Definition =
  | { readonly kind: "op"; readonly op: SOp }
  | { readonly kind: "counter"; readonly loop: SFor }
  | { readonly kind: "carried" };

export interface Uses {
  countOf(value: SValue): number;
  /** True for a value whose only use stands in the block that defines it. */
  isUsedOnceNearby(value: SValue): boolean;
  definitionOf(value: SValue): Definition | undefined;
}

interface Counts {
  readonly count: Map<number, number>;
  readonly definedIn: Map<number, SBlock>;
  readonly usedIn: Map<number, SBlock>;
  readonly definitions: Map<number, Definition>;
}

function visitBlock(block: SBlock, owner: SOp | undefined, counts: Counts): void {
  const use = (value: SValue): void => {
    counts.count.set(value.id, (counts.count.get(value.id) ?? 0) + 1);
    counts.usedIn.set(value.id, block);
  };
  block.params.forEach((param, i) => {
    counts.definedIn.set(param.id, block);
    const isCounter = owner?.kind === "for" && i === 0;
    counts.definitions.set(
      param.id,
      isCounter ? { kind: "counter", loop: owner } : { kind: "carried" },
    );
  });
  for (const op of block.ops) {
    for (const value of scheduledOperands(op)) use(value);
    for (const region of scheduledRegions(op)) visitBlock(region, op, counts);
    for (const result of scheduledResults(op)) {
      counts.definedIn.set(result.id, block);
      counts.definitions.set(result.id, { kind: "op", op });
    }
  }
  for (const value of block.yields) use(value);
}

export function findUses(body: SBlock): Uses {
  const counts: Counts = {
    count: new Map(),
    definedIn: new Map(),
    usedIn: new Map(),
    definitions: new Map(),
  };
  visitBlock(body, undefined, counts);
  const countOf = (value: SValue): number => counts.count.get(value.id) ?? 0;
  return {
    countOf,
    isUsedOnceNearby: (value) =>
      countOf(value) === 1 && counts.definedIn.get(value.id) === counts.usedIn.get(value.id),
    definitionOf: (value) => counts.definitions.get(value.id),
  };
}
