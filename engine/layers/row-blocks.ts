/** [engine/layers] Lists of row blocks of a step's prompts on the device, one for each form that a layer asks for. */
import {
  BLOCK_COLUMNS,
  type BlockSequence,
  type RowBlockOptions,
  rowBlocks,
} from "../../dsl/kernels/catalogue.ts";
import type { Tensor } from "../../runtime/index.ts";
import { type ExpandedPrompts, type ExpansionShape, expandPrompts } from "./expanded-prompts.ts";
import type { StepScope } from "./scope.ts";
import { type WidenedPrompts, type WideningShape, widenPrompts } from "./widened-prompts.ts";

export class RowBlockLists {
  readonly #scope: StepScope;
  readonly #sequences: readonly BlockSequence[];
  readonly #lists = new Map<string, Tensor>();
  readonly #widened = new Map<string, WidenedPrompts | undefined>();
  readonly #expanded = new Map<string, ExpandedPrompts | undefined>();

  /** @param sequences in the order of their rows */
  constructor(scope: StepScope, sequences: readonly BlockSequence[]) {
    this.#scope = scope;
    this.#sequences = sequences;
  }

  /** @returns i32 `[B, 6]`, uploaded once a step; see `rowBlocks` */
  list(options: RowBlockOptions): Tensor {
    const key = `${options.BM} ${options.HQ} ${options.heads}`;
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const rows = rowBlocks(this.#sequences, options);
    const list = this.#scope.from(rows, [rows.length / BLOCK_COLUMNS, BLOCK_COLUMNS]);
    this.#lists.set(key, list);
    return list;
  }

  /** Lists for pages of 8 bits that are widened for the step, uploaded once; see `widenPrompts`. */
  widened(shape: WideningShape): WidenedPrompts | undefined {
    const key = Object.values(shape).join(" ");
    if (this.#widened.has(key)) return this.#widened.get(key);
    const made = widenPrompts(this.#scope, this.#sequences, shape);
    this.#widened.set(key, made);
    return made;
  }

  /** Lists for latent attention with keys and values of heads, uploaded once a step; see `expandPrompts`. */
  expanded(shape: ExpansionShape): ExpandedPrompts | undefined {
    const key = Object.values(shape).join(" ");
    if (this.#expanded.has(key)) return this.#expanded.get(key);
    const made = expandPrompts(this.#scope, this.#sequences, shape);
    this.#expanded.set(key, made);
    return made;
  }
}
