/** [engine] The host's part of a step of prompts and decodes: its rows one after another, as arrays. */
import type { StepPlan } from "./core.ts";
import { RESERVED_PAGE } from "./kv/page-pool.ts";

/** The page table of a step is as wide as its longest request, in steps: its width then always divides by 16, which kernels are compiled for. */
const TABLE_STEP = 16;

/** What the host knows of a step: the fields of a `ModelBatch` of the same names. */
export interface StepArrays {
  /** -1 where an entry awaits its token. */
  readonly tokens: Int32Array;
  /** Place of an awaited token among those that the step before sampled; -1 elsewhere. */
  readonly source: Int32Array;
  readonly positions: Int32Array;
  readonly groups: readonly { readonly slots: Int32Array; readonly table: Int32Array }[];
  readonly queryStart: Int32Array;
  readonly lens: Int32Array;
}

/** Width of a page table for this many pages. */
export function tableWidth(pages: number): number {
  return Math.ceil(pages / TABLE_STEP) * TABLE_STEP;
}

/**
 * @param numGroups groups of layers with page tables of their own
 * @param sourceOf place of the token that an entry awaits
 */
export function stepArrays(
  { entries, numTokens }: StepPlan,
  pageSize: number,
  numGroups: number,
  sourceOf: (request: StepPlan["entries"][number]["request"]) => number,
): StepArrays {
  const tokens = new Int32Array(numTokens);
  const source = new Int32Array(numTokens).fill(-1);
  const positions = new Int32Array(numTokens);
  const queryStart = new Int32Array(entries.length + 1);
  const lens = new Int32Array(entries.length);
  let row = 0;
  entries.forEach(({ request, start, count, awaits }, i) => {
    lens[i] = start + count;
    for (let position = start; position < start + count; position++, row++) {
      tokens[row] = request.tokenAt(position);
      positions[row] = position;
    }
    if (awaits) source[row - 1] = sourceOf(request);
    queryStart[i + 1] = row;
  });
  const groups = Array.from({ length: numGroups }, (_, group) =>
    groupArrays(entries, numTokens, pageSize, group),
  );
  return { tokens, source, positions, groups, queryStart, lens };
}

function groupArrays(
  entries: StepPlan["entries"],
  numTokens: number,
  pageSize: number,
  group: number,
): StepArrays["groups"][number] {
  const tables = entries.map(({ request }) => request.tables[group] ?? []);
  const width = tableWidth(Math.max(...tables.map(({ length }) => length)));
  const table = new Int32Array(entries.length * width).fill(RESERVED_PAGE);
  const slots = new Int32Array(numTokens);
  let row = 0;
  entries.forEach(({ start, count }, i) => {
    const pages = tables[i] ?? [];
    table.set(pages, i * width);
    for (let position = start; position < start + count; position++, row++)
      slots[row] = slotOf(pages, position, pageSize);
  });
  return { slots, table };
}

/** Where the key and value of a position go: page × page size + offset. */
export function slotOf(pages: readonly number[], position: number, pageSize: number): number {
  const page = pages[Math.floor(position / pageSize)] ?? RESERVED_PAGE;
  return page * pageSize + (position % pageSize);
}
