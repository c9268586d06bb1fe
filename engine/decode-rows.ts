/** [engine] What a decode step reads of its sequences, in device buffers that stay where they are, so that captured steps can be replayed. */
import type { Device, Tensor } from "../runtime/index.ts";
import type { Request, StepEntry, StepPlan } from "./core.ts";
import { RESERVED_PAGE } from "./kv/page-pool.ts";
import type { GroupTables, SharedRows } from "./layers/batch.ts";
import type { OwnedTensors } from "./owned-tensors.ts";
import { kernelTemperature } from "./sampling.ts";
import type { SharedBeginning } from "./shared-prefix.ts";
import { SharedTiles, type TileShape } from "./shared-tiles.ts";
import { slotOf } from "./step-arrays.ts";

/** Inputs of a row, a column each. */
const INTS = ["given", "source", "positions", "lens", "topK", "seed", "place"] as const;
const FLOATS = ["temperature", "topP", "minP"] as const;
type Column = (typeof INTS)[number] | (typeof FLOATS)[number];

/** Views start at multiples of 256 bytes. */
const ROW_STEP = 64;
const WORD = 4;

/** Views of the buffers, for a number of rows. */
export interface DecodeInputs extends Readonly<Record<Column, Tensor>> {
  /** For each group of layers `[rows]` i32 and `[rows, pages of the longest context]` i32. */
  readonly groups: readonly GroupTables[];
  /** `[rows + 1]` i32: 0, 1, 2 … */
  readonly queryStart: Tensor;
  /** Where beginnings may be shared. */
  readonly sharedRows?: SharedRows;
}

export interface DecodeRowsOptions {
  readonly maxRows: number;
  /** Pages of the longest sequence. */
  readonly maxPages: number;
  readonly pageSize: number;
  /** Groups of layers with page tables of their own. */
  readonly numGroups: number;
  /** Positions that a padding row says to have: 1 where layers count on one, then in the reserved page. */
  readonly paddingLength: 0 | 1;
  /** Where beginnings may be shared: how sequences that do are told to the device. */
  readonly tiles?: TileShape;
}

/** Whether every sequence takes one token and samples the next, and none is scored on its way through the prompt. */
export function isDecode({ entries }: StepPlan): boolean {
  return entries.every(({ request, count, samples }) => {
    if (request.params.pooling !== undefined) return false;
    const asks = request.params.promptLogprobs !== undefined;
    return (
      samples && count === 1 && !(asks && request.promptLogprobs.length < request.promptIds.length)
    );
  });
}

/** What the device's tables hold of a row. */
interface TableRow {
  owner: Request | undefined;
  /** Of each group: how many pages, and the last of them. */
  readonly numPages: number[];
  readonly lastPages: (number | undefined)[];
}

export class DecodeRows {
  readonly #device: Device;
  readonly #options: DecodeRowsOptions;
  readonly #inputs: Tensor;
  /** One for each group of layers. */
  readonly #tables: readonly Tensor[];
  readonly #queryStart: Tensor;
  readonly #tiles: SharedTiles | undefined;
  readonly #stride: number;
  readonly #ints: Int32Array;
  readonly #floats: Float32Array;
  readonly #views = new Map<number, DecodeInputs>();
  readonly #rows: TableRow[];
  readonly #rowOf = new Map<Request, number>();

  /** @param memory owns the buffers */
  constructor(device: Device, memory: OwnedTensors, options: DecodeRowsOptions) {
    const { maxRows, maxPages, numGroups } = options;
    this.#device = device;
    this.#options = options;
    this.#stride = Math.ceil((maxRows + 1) / ROW_STEP) * ROW_STEP;
    const ownColumns = INTS.length + FLOATS.length + numGroups;
    const { tiles } = options;
    this.#tiles = tiles && new SharedTiles(tiles, maxRows, this.#stride, ownColumns);
    const columns = ownColumns + (this.#tiles?.columns ?? 0);
    this.#ints = new Int32Array(columns * this.#stride);
    this.#floats = new Float32Array(this.#ints.buffer);
    this.#inputs = memory.zero("i32", [columns, this.#stride]);
    this.#tables = Array.from({ length: numGroups }, () => memory.zero("i32", [maxRows, maxPages]));
    this.#queryStart = memory.zero("i32", [this.#stride]);
    const starts = Int32Array.from({ length: this.#stride }, (_, i) => i);
    this.#write(this.#queryStart, 0, starts);
    this.#rows = Array.from({ length: maxRows }, () => ({
      owner: undefined,
      numPages: [],
      lastPages: [],
    }));
  }

  /** @param rows at most `maxRows` */
  inputs(rows: number): DecodeInputs {
    const known = this.#views.get(rows);
    if (known !== undefined) return known;
    const { buffer } = this.#inputs;
    const column = (at: number, dtype: "i32" | "f32"): Tensor => {
      const byteOffset = at * this.#stride * WORD;
      return { buffer, byteOffset, dtype, shape: [rows] };
    };
    const columns = [
      ...INTS.map((name, i) => [name, column(i, "i32")] as const),
      ...FLOATS.map((name, i) => [name, column(INTS.length + i, "f32")] as const),
    ];
    const views: DecodeInputs = {
      ...(Object.fromEntries(columns) as Readonly<Record<Column, Tensor>>),
      groups: this.#tables.map((table, group) => ({
        slots: column(this.#slotColumn(group), "i32"),
        table: { ...table, shape: [rows, this.#options.maxPages] },
      })),
      queryStart: { ...this.#queryStart, shape: [rows + 1] },
      ...(this.#tiles && { sharedRows: this.#tiles.views(rows, column) }),
    };
    this.#views.set(rows, views);
    return views;
  }

  /**
   * Those beginnings for which a step of so many rows has tiles, all of which `fill` takes.
   * @param shared those that matter most first
   */
  sharedIn(shared: readonly SharedBeginning[], bucket: number): readonly SharedBeginning[] {
    return shared.length === 0 ? shared : (this.#tiles?.fitting(shared, bucket) ?? []);
  }

  /**
   * Queues the rows of a step. A sequence keeps its row from step to step, so that only what is new of its pages is written.
   * @param sourceOf place of the token that an entry awaits, among those that the step before sampled
   * @param bucket rows of the step; those without an entry are padding
   * @param shared what the entries begin with together, of `sharedIn`; none where the step reads no tiles
   * @returns the entries by row
   */
  fill(
    entries: readonly StepEntry[],
    bucket: number,
    sourceOf: (request: Request) => number,
    shared: readonly SharedBeginning[] = [],
  ): readonly StepEntry[] {
    const placed = this.#place(entries);
    placed.forEach((entry, row) => {
      this.#setRow(row, entry, entry.awaits ? sourceOf(entry.request) : -1);
      this.#writePages(row, entry.request);
    });
    for (let row = placed.length; row < bucket; row++) this.#setPadding(row);
    if (shared.length > 0) {
      const lens = INTS.indexOf("lens") * this.#stride;
      const lengths = this.#ints.subarray(lens, lens + bucket);
      this.#tiles?.fill(this.#ints, lengths, shared, (request) => this.#rowOf.get(request) ?? -1);
    }
    this.#write(this.#inputs, 0, this.#ints);
    return placed;
  }

  /** The pages of a request are no longer those that were written. */
  forget(request: Request): void {
    // Not by its row of the last step: a row keeps its owner through steps that the owner is not part of.
    for (const state of this.#rows) if (state.owner === request) state.numPages.fill(0);
  }

  /** Rows for all entries, without a gap: those who are there stay, unless they lie behind the last row. */
  #place(entries: readonly StepEntry[]): readonly StepEntry[] {
    const placed = new Array<StepEntry | undefined>(entries.length).fill(undefined);
    const others: StepEntry[] = [];
    for (const entry of entries) {
      const row = this.#rowOf.get(entry.request);
      if (row === undefined || row >= entries.length) others.push(entry);
      else placed[row] = entry;
    }
    this.#rowOf.clear();
    let next = 0;
    return placed.map((entry, row) => {
      const chosen = entry ?? others[next++];
      if (chosen === undefined) throw new RangeError(`row ${row} of a decode has no entry`);
      this.#rowOf.set(chosen.request, row);
      return chosen;
    });
  }

  #setRow(row: number, { request, start }: StepEntry, source: number): void {
    const { params, seed } = request;
    this.#setInts(row, [
      source < 0 ? request.tokenAt(start) : 0,
      source,
      start,
      start + 1,
      params.topK,
      seed,
      start + 1,
    ]);
    this.#setFloats(row, [kernelTemperature(params), params.topP, params.minP]);
    this.#setSlots(row, (group) =>
      slotOf(request.tables[group] ?? [], start, this.#options.pageSize),
    );
  }

  #setPadding(row: number): void {
    this.#setInts(row, [0, -1, 0, this.#options.paddingLength, 0, 0, 0]);
    this.#setFloats(row, [0, 1, 0]);
    this.#setSlots(row, () => -1);
    const state = this.#rows[row];
    if (state?.owner === undefined) return;
    for (const table of this.#tables) this.#writeTable(table, row, 0, [RESERVED_PAGE]);
    state.owner = undefined;
  }

  #slotColumn(group: number): number {
    return INTS.length + FLOATS.length + group;
  }

  #setSlots(row: number, slot: (group: number) => number): void {
    for (let group = 0; group < this.#tables.length; group++)
      this.#ints[this.#slotColumn(group) * this.#stride + row] = slot(group);
  }

  /** @param values in the order of `INTS` */
  #setInts(row: number, values: readonly number[]): void {
    for (let i = 0; i < values.length; i++) this.#ints[i * this.#stride + row] = values[i] ?? 0;
  }

  /** @param values in the order of `FLOATS` */
  #setFloats(row: number, values: readonly number[]): void {
    const first = INTS.length;
    for (let i = 0; i < values.length; i++)
      this.#floats[(first + i) * this.#stride + row] = values[i] ?? 0;
  }

  /** The last page may be written anew: copy-on-write gives a sequence another one in its place. Of those that left a window nothing is written. */
  #writePages(row: number, request: Request): void {
    const state = this.#rows[row];
    if (state === undefined) throw new RangeError(`there is no row ${row}`);
    const isOwn = state.owner === request;
    state.owner = request;
    this.#tables.forEach((table, group) => {
      const pages = request.tables[group] ?? [];
      const known = isOwn ? (state.numPages[group] ?? 0) : 0;
      const isKnown = pages.length >= known;
      const from = isKnown ? Math.max(0, known - 1) : 0;
      const isSame = pages.length === known && pages.at(-1) === state.lastPages[group];
      if (!isSame) this.#writeTable(table, row, from, pages.slice(from));
      state.numPages[group] = pages.length;
      state.lastPages[group] = pages.at(-1);
    });
  }

  #writeTable(table: Tensor, row: number, column: number, pages: readonly number[]): void {
    const at = row * this.#options.maxPages + column;
    this.#write(table, at, Int32Array.from(pages));
  }

  #write({ buffer, byteOffset }: Tensor, at: number, words: Int32Array): void {
    if (words.length === 0) return;
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    this.#device.write(buffer, byteOffset + at * WORD, bytes);
  }
}
