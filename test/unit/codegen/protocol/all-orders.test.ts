/** [test/unit/codegen/protocol] The protocol check, which looks at one order of the threads, against a search of all orders. */
import { describe, expect, it } from "vitest";
import type { ProtocolSystem } from "../../../../codegen/analysis/protocol/events.ts";
import { replayProtocol } from "../../../../codegen/analysis/protocol/replay.ts";
import { UNKNOWN_LOCATION } from "../../../../dsl/index.ts";
import { exploreProtocol } from "../../../support/explore-protocol.ts";
import { randomNumbers } from "../../../support/random-tile-ir.ts";
import { clusterSystem, type RingShape, ringSystem, spoil } from "./ring-system.ts";

const MOST_STATES = 60_000;
const MOST_CLUSTER = 400_000;
const ROUNDS = 120;

const SHAPES: readonly RingShape[] = [
  { slots: 2, trips: 2, consumers: 2 },
  { slots: 2, trips: 3, consumers: 1 },
  { slots: 2, trips: 4, consumers: 2 },
  { slots: 2, trips: 2, consumers: 3 },
  { slots: 3, trips: 4, consumers: 1 },
];

/** Rules that go further than what the search looks for: they hold back what is right by luck alone. */
const STRICTER = ["initialised", "arrivals", "phase", "order", "free"];

function rulesOf(system: ProtocolSystem): readonly string[] {
  return replayProtocol(system).faults.map(({ rule }) => rule);
}

describe("the replay of one order", () => {
  it.each(SHAPES)("finds nothing in a right ring, as the search does: %o", (shape) => {
    const system = ringSystem(shape);
    expect(rulesOf(system)).toEqual([]);
    expect([...(exploreProtocol(system, MOST_STATES) ?? ["too many states"])]).toEqual([]);
  });

  it("finds that one slot, given back a trip later, hangs", () => {
    const system = ringSystem({ slots: 1, trips: 2, consumers: 2 });
    expect(rulesOf(system)).toEqual(["deadlock"]);
    expect([...(exploreProtocol(system, MOST_STATES) ?? [])]).toEqual(["deadlock"]);
  });

  it.each(SHAPES)("finds a fault exactly where the search does: %o", (shape) => {
    const stats = { wrong: 0, right: 0, stricter: 0, large: 0 };
    const different: string[] = [];
    for (let seed = 0; seed < ROUNDS; seed++) {
      const random = randomNumbers(seed);
      const once = spoil(ringSystem(shape), shape.slots, random);
      const system = seed % 3 === 0 ? spoil(once, shape.slots, random) : once;
      const found = exploreProtocol(system, MOST_STATES);
      const rules = rulesOf(system);
      if (found === undefined) stats.large++;
      else if (found.size > 0 && rules.length > 0) stats.wrong++;
      else if (found.size === 0 && rules.length === 0) stats.right++;
      else if (found.size === 0 && rules.every((rule) => STRICTER.includes(rule))) stats.stricter++;
      else different.push(`seed ${seed}: ${[...found].join()} against ${rules.join()}`);
    }
    expect(different).toEqual([]);
    expect(stats.large).toBe(0);
    expect(stats.wrong).toBeGreaterThan(ROUNDS / 3);
    expect(stats.stricter).toBeLessThan(ROUNDS / 8);
  });

  it.each([
    [1, "sss"],
    [1, "uuu"],
    [1, "usu"],
    [1, "sus"],
    [2, "uus"],
    [2, "usu"],
  ])("finds nothing between blocks that share copies: %i slots, trips %s", (slots, trips) => {
    // An arrival in the other block counts at once for the replay, at any later time for the search: it makes no difference.
    const system = clusterSystem(
      slots,
      [...trips].map((trip) => trip === "s"),
    );
    expect(rulesOf(system)).toEqual([]);
    expect([...(exploreProtocol(system, MOST_CLUSTER) ?? ["too many states"])]).toEqual([]);
  });

  it("finds that slots given back in one block alone are filled too early by the other", () => {
    const system = clusterSystem(1, [true, true, true], false);
    expect(rulesOf(system)).toContain("free");
    expect([...(exploreProtocol(system, MOST_CLUSTER) ?? [])]).toContain("free");
  });

  it("tells of a phase that a waiter may miss", () => {
    const base = { op: { kind: "barrier", loc: UNKNOWN_LOCATION }, trip: "" } as const;
    const init = { ...base, kind: "init", barrier: 0, arrivals: 1 } as const;
    const meet = { ...base, kind: "meet", among: "block" } as const;
    const arrive = { ...base, kind: "arrive", barrier: 0 } as const;
    const wait = { ...base, kind: "wait", barrier: 0, parity: 0 } as const;
    const system: ProtocolSystem = {
      instances: [
        { name: "fast", block: 0, isConsumer: false, events: [init, meet, arrive, arrive] },
        { name: "slow", block: 0, isConsumer: false, events: [meet, wait] },
      ],
      barriers: [{ buffer: "tick", slot: 0 }],
      tiles: [],
    };
    const [fault] = replayProtocol(system).faults;
    expect(fault?.message).toBe("a wait for tick[0] may miss the phase that it waits for");
    expect([...(exploreProtocol(system, MOST_STATES) ?? [])]).toEqual(["deadlock"]);
  });
});
