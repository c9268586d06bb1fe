/** [engine] Sequences that share a beginning as columns of the inputs of a decode: tiles of so many, and their places. Which do is in shared-prefix.ts. */
import type { Tensor } from "../runtime/index.ts";
import type { Request } from "./core.ts";
import type { SharedRows } from "./layers/batch.ts";
import type { SharedBeginning } from "./shared-prefix.ts";

export interface TileShape {
  /** Sequences of a tile at most. */
  readonly members: number;
  /** Sequences of a group at least: there is a tile for each so many rows. */
  readonly leastRows: number;
}

/** Columns before those of members. */
const OWN = 0;
const SHARED = 1;
const PLACE = 2;
const LENS = 3;
const MEMBERS = 4;

export class SharedTiles {
  /** Of the inputs, from `first` on. */
  readonly columns: number;
  readonly #shape: TileShape;
  readonly #stride: number;
  readonly #first: number;

  /** @param stride words of a column @param first column that is free */
  constructor(shape: TileShape, maxRows: number, stride: number, first: number) {
    this.#shape = shape;
    this.#stride = stride;
    this.#first = first;
    this.columns = MEMBERS + Math.ceil((this.#numTiles(maxRows) * shape.members) / stride);
  }

  /** @param column of the inputs, `[rows]` */
  views(rows: number, column: (at: number, dtype: "i32") => Tensor): SharedRows {
    const tiles = this.#numTiles(rows);
    const at = (place: number) => column(this.#first + place, "i32");
    return {
      own: at(OWN),
      shared: at(SHARED),
      place: at(PLACE),
      tileLens: { ...at(LENS), shape: [tiles] },
      members: { ...at(MEMBERS), shape: [tiles, this.#shape.members] },
    };
  }

  /** @returns those of `shared` for which there are tiles in a step of so many rows, padding included */
  fitting(shared: readonly SharedBeginning[], rows: number): readonly SharedBeginning[] {
    let left = this.#numTiles(rows);
    return shared.filter((group) => {
      const needed = this.#tilesOf(group);
      if (needed > left) return false;
      left -= needed;
      return true;
    });
  }

  /**
   * @param inputs all columns
   * @param lengths of the rows of the step, padding included
   * @param shared all of them fit
   */
  fill(
    inputs: Int32Array,
    lengths: Int32Array,
    shared: readonly SharedBeginning[],
    rowOf: (request: Request) => number,
  ): void {
    const { members } = this.#shape;
    const rows = lengths.length;
    const tiles = this.#numTiles(rows);
    const column = (place: number, count: number) => {
      const at = (this.#first + place) * this.#stride;
      return inputs.subarray(at, at + count);
    };
    const [own, common, place] = [column(OWN, rows), column(SHARED, rows), column(PLACE, rows)];
    const [tileLens, of] = [column(LENS, tiles), column(MEMBERS, tiles * members)];
    own.set(lengths);
    common.fill(0);
    place.fill(-1);
    tileLens.fill(0);
    of.fill(-1);
    let next = 0; // place of the next member
    for (const group of shared) {
      const { requests, tokens } = group;
      const needed = this.#tilesOf(group);
      requests.forEach((request, i) => {
        const row = rowOf(request);
        of[next + i] = row;
        place[row] = next + i;
        common[row] = tokens;
        own[row] = (lengths[row] ?? 0) - tokens;
      });
      tileLens.fill(tokens, next / members, next / members + needed);
      next += needed * members;
    }
  }

  #tilesOf({ requests }: SharedBeginning): number {
    return Math.ceil(requests.length / this.#shape.members);
  }

  #numTiles(rows: number): number {
    const { members, leastRows } = this.#shape;
    return Math.max(1, Math.ceil(rows / Math.min(members, leastRows)));
  }
}
