/** [test/unit/runtime] Counters of programs: one allocation, a counter of its own for each launch until the ring begins anew. */
import { expect, it } from "vitest";
import { ProgramCounters } from "../../../runtime/drivers/cuda/program-counters.ts";

it("gives launches that may overlap different counters out of one allocation", () => {
  const asked: number[] = [];
  const counters = new ProgramCounters((bytes) => {
    asked.push(bytes);
    return 0x1000n;
  });
  expect(counters.base).toBeUndefined();
  const given = Array.from({ length: 1024 }, () => counters.next());
  expect(new Set(given).size).toBe(1024);
  expect(given.every((at) => at % 8n === 0n && at >= 0x1000n)).toBe(true);
  expect(asked).toEqual([8 * 1024]);
  expect(Number((given.at(-1) ?? 0n) - 0x1000n) + 8).toBe(asked[0]);
  expect(counters.next()).toBe(given[0]);
});
