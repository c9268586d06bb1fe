/** [test/unit/codegen/protocol] The protocol check, which looks at one order of the threads, against a search of all orders. */
import { describe, expect, it } from "vitest";
import { replayProtocol } from "../../../../codegen/analysis/protocol/replay.ts";
import { exploreProtocol } from "../../../support/explore-protocol.ts";
import { randomNumbers } from "../../../support/random-tile-ir.ts";
import { type RingShape, ringSystem, spoil } from "./ring-system.ts";

const MOST_STATES = 60_000;

const SHAPES: readonly RingShape[] = [
  { slots: 1, trips: 2, consumers: 2 },
  { slots: 2, trips: 3, consumers: 1 },
  { slots: 2, trips: 4, consumers: 2 },
  { slots: 3, trips: 4, consumers: 1 },
];

function rulesOf(system: ReturnType<typeof ringSystem>): readonly string[] {
  return replayProtocol(system).faults.map(({ rule }) => rule);
}

describe("the replay of one order", () => {
  it.each(SHAPES)("finds nothing in a right ring, as the search does: %o", (shape) => {
    const system = ringSystem(shape);
    expect(rulesOf(system)).toEqual([]);
    expect([...(exploreProtocol(system, MOST_STATES) ?? ["too many states"])]).toEqual([]);
  });

  it.each(SHAPES)("finds a fault wherever the search does: %o", (shape) => {
    const stats = { wrong: 0, right: 0, stricter: 0, large: 0 };
    const missed: number[] = [];
    for (let seed = 0; seed < 150; seed++) {
      const random = randomNumbers(seed);
      let system = spoil(ringSystem(shape), shape.slots, random);
      if (seed % 3 === 0) system = spoil(system, shape.slots, random);
      const found = exploreProtocol(system, MOST_STATES);
      const rules = rulesOf(system);
      if (found === undefined) stats.large++;
      else if (found.size === 0 && rules.length === 0) stats.right++;
      else if (found.size === 0) {
        stats.stricter++;
        console.log(shape, seed, rules);
      } else if (rules.length > 0) stats.wrong++;
      else missed.push(seed);
    }
    console.log(stats);
    expect(missed).toEqual([]);
  });
});
