/** [test/unit/runtime] Counters of programs: plain launches share a ring, captured ones keep theirs until their graph is closed. */
import { expect, it } from "vitest";
import { ProgramCounters } from "../../../runtime/drivers/cuda/program-counters.ts";

const BYTES = 8 * 1024;

function counting() {
  const asked: number[] = [];
  const counters = new ProgramCounters((bytes) => {
    asked.push(bytes);
    return 0x10000n * BigInt(asked.length);
  });
  return { asked, counters };
}

it("gives launches that may overlap different counters out of one allocation", () => {
  const { asked, counters } = counting();
  expect(counters.bases).toEqual([]);
  const given = Array.from({ length: 1024 }, () => counters.next());
  expect(new Set(given).size).toBe(1024);
  expect(given.every((at) => at % 8n === 0n && at >= 0x10000n)).toBe(true);
  expect(asked).toEqual([BYTES]);
  expect(Number((given.at(-1) ?? 0n) - 0x10000n) + 8).toBe(asked[0]);
  expect(counters.next()).toBe(given[0]);
});

it("gives captured launches counters that no other launch gets while their graph lives", () => {
  const { asked, counters } = counting();
  const first = Array.from({ length: 600 }, () => counters.take());
  const plain = Array.from({ length: 5000 }, () => counters.next());
  const second = Array.from({ length: 600 }, () => counters.take());
  const kept = new Set([...first, ...second]);
  expect(kept.size).toBe(1200);
  expect(plain.some((at) => kept.has(at))).toBe(false);
  expect(asked).toEqual([BYTES, BYTES, BYTES]);
  counters.giveBack(first);
  const third = Array.from({ length: 1000 }, () => counters.take());
  expect(asked).toHaveLength(3); // 600 that came back and 848 that were never taken
  expect(third.some((at) => second.includes(at))).toBe(false);
  expect(counters.bases).toHaveLength(3);
});
