/** [test/unit/engine] What the device holds of the rows of a decode, over random arrivals, leaves, growth, copies of pages and preemption. */
import { describe, expect, it } from "vitest";
import { Request, type StepEntry } from "../../../engine/core.ts";
import { DecodeRows } from "../../../engine/decode-rows.ts";
import { OwnedTensors } from "../../../engine/owned-tensors.ts";
import { resolveSampling } from "../../../engine/sampling.ts";
import { bucketRows } from "../../../engine/step-graphs.ts";
import { InterpreterBackend } from "../../../runtime/drivers/interpreter/device.ts";
import { CoreDevice, readTensor } from "../../../runtime/index.ts";

const PAGE = 4;
const MAX_ROWS = 16;
const MAX_PAGES = 16;
/** Groups of layers, each with pages of its own; the last one's are given up as they leave a window. */
const GROUPS = 2;
const WINDOW_PAGES = 3;

/** Numerical Recipes' linear congruential generator. */
function integers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

class Simulation {
  readonly device = new CoreDevice(new InterpreterBackend());
  readonly rows: DecodeRows;
  readonly #next: (below: number) => number;
  #live: Request[] = [];
  #made = 0;
  #page = 1;
  writes = 0;

  constructor(seed: number, paddingLength: 0 | 1) {
    this.#next = integers(seed);
    const sizes = { maxRows: MAX_ROWS, maxPages: MAX_PAGES, pageSize: PAGE, numGroups: GROUPS };
    this.rows = new DecodeRows(this.device, new OwnedTensors(this.device), {
      ...sizes,
      paddingLength,
    });
    const write = this.device.write.bind(this.device);
    this.device.write = (...args) => {
      this.writes++;
      write(...args);
    };
  }

  /** The next step: what happens between steps of a scheduler, then one token for each sequence. */
  step(): readonly StepEntry[] {
    while (this.#live.length === 0 || (this.#live.length < MAX_ROWS && this.#next(3) === 0))
      this.#live.push(this.#arrive());
    if (this.#live.length > 1 && this.#next(4) === 0)
      this.#live.splice(this.#next(this.#live.length), 1);
    if (this.#next(5) === 0) this.#live.reverse();
    for (const request of this.#live) this.#change(request);
    const entries = this.#live.map((request) => {
      const start = request.computed++;
      const awaits = this.#next(2) === 0;
      return { request, start, count: 1, samples: true, awaits };
    });
    this.#live = this.#live.filter(({ computed }) => computed < MAX_PAGES * PAGE);
    return entries;
  }

  #arrive(): Request {
    const prompt = Array.from({ length: 1 + this.#next(30) }, () => this.#next(100));
    const params = resolveSampling({ temperature: this.#next(2), topK: this.#next(9), minP: 0.25 });
    const request = new Request(`r${this.#made}`, prompt, params, this.#made++);
    request.computed = prompt.length - 1;
    while (request.tables.length < GROUPS) request.tables.push([]);
    this.#grow(request, prompt.length);
    return request;
  }

  #grow(request: Request, positions: number): void {
    for (const pages of request.tables)
      while (pages.length * PAGE < positions) pages.push(this.#page++);
  }

  #change(request: Request): void {
    const { tables } = request;
    if (this.#next(12) === 0) {
      // Preempted and computed again, into other pages, as many as before.
      const positions = request.pages.length * PAGE;
      for (const pages of tables) pages.length = 0;
      this.#grow(request, positions);
      this.rows.forget(request);
    }
    for (const pages of tables) if (this.#next(8) === 0) pages[pages.length - 1] = this.#page++; // copied on write
    this.#grow(request, request.computed + 1);
    tables.at(-1)?.fill(0, 0, Math.max(0, request.pages.length - WINDOW_PAGES));
  }
}

async function check(simulation: Simulation, paddingLength: number): Promise<void> {
  const entries = simulation.step();
  const bucket = Math.min(MAX_ROWS, bucketRows(entries.length));
  const placed = simulation.rows.fill(entries, bucket, ({ seed }) => seed + 1000);
  expect(new Set(placed)).toEqual(new Set(entries));
  const { groups, queryStart, sharedRows: _, ...columns } = simulation.rows.inputs(bucket);
  const tables = await Promise.all(groups.map(({ table }) => readTensor(table)));
  const slots = await Promise.all(groups.map((group) => readTensor(group.slots)));
  const columnsRead = Object.entries(columns).map(async ([name, tensor]) => {
    expect(tensor.shape).toEqual([bucket]);
    return [name, await readTensor(tensor)] as const;
  });
  const read = Object.fromEntries(await Promise.all(columnsRead));
  expect([...(await readTensor(queryStart))]).toEqual([...Array(bucket + 1).keys()]);
  placed.forEach(({ request, start, awaits }, row) => {
    request.tables.forEach((pages, group) => {
      const at = row * MAX_PAGES;
      const own = tables[group]?.slice(at, at + pages.length) ?? [];
      const isRead = (_: number, i: number) => pages[i] !== 0; // what left the window is not
      expect([...own].filter(isRead), `pages of row ${row}`).toEqual(pages.filter(isRead));
      const slot = (pages[Math.floor(start / PAGE)] ?? 0) * PAGE + (start % PAGE);
      expect(slots[group]?.[row]).toBe(slot);
    });
    const of = (name: string) => read[name]?.[row];
    expect([of("positions"), of("lens"), of("place")]).toEqual([start, start + 1, start + 1]);
    expect(of("source")).toBe(awaits ? request.seed + 1000 : -1);
    if (!awaits) expect(of("given")).toBe(request.tokenAt(start));
    const { temperature, topK, topP, minP } = request.params;
    expect([of("temperature"), of("topK"), of("topP"), of("minP"), of("seed")]).toEqual([
      temperature,
      topK,
      topP,
      minP,
      request.seed,
    ]);
  });
  for (let row = placed.length; row < bucket; row++) {
    for (const pages of tables)
      expect(pages[row * MAX_PAGES], "padding lies in the reserved page").toBe(0);
    expect(slots.map((own) => own[row])).toEqual([-1, -1]);
    expect(read["lens"]?.[row]).toBe(paddingLength);
    expect(read["source"]?.[row]).toBe(-1);
  }
}

describe("rows of decodes", () => {
  it.each([
    [1, 0],
    [2, 1],
    [3, 0],
  ] as const)(
    "bug class 29, padding and rows of before: they hold what the step asks for (seed %i)",
    async (seed, padding) => {
      const simulation = new Simulation(seed, padding);
      for (let i = 0; i < 300; i++) await check(simulation, padding);
      await simulation.device.close();
    },
  );

  it("cost one write a step where nothing but positions changes", async () => {
    const simulation = new Simulation(9, 0);
    const params = resolveSampling({ temperature: 0 });
    const entries = Array.from({ length: 8 }, (_, i) => {
      const request = new Request(`r${i}`, [1, 2, 3, 4, 5], params, i);
      request.pages.push(2 * i + 1, 2 * i + 2);
      request.tables.push([50 + i, 70 + i]);
      return { request, start: 4, count: 1, samples: true, awaits: false };
    });
    simulation.rows.fill(entries, 8, () => -1);
    expect(simulation.writes).toBe(1 + 8 * GROUPS);
    const turned = entries.map((entry) => ({ ...entry, start: 5, awaits: true })).reverse();
    simulation.rows.fill(turned, 8, ({ seed }) => seed);
    expect(simulation.writes).toBe(1 + 8 * GROUPS + 1);
    await simulation.device.close();
  });
});
