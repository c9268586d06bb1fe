/** [codegen/ir] The verifier of the scheduled IR: dominance, types, layouts and shared buffers. Rules of single ops live in verify-scheduled-op.ts. */
import {
  type Diagnostic,
  formatType,
  InternalError,
  type Location,
  sameAxes,
  sameType,
  UNKNOWN_LOCATION,
} from "../../dsl/index.ts";
import { layoutProblem, sameLayout, threadCount } from "../layout/register-layout.ts";
import type { SBlock, ScheduledKernel, SOp, SValue } from "./scheduled.ts";
import { type ScheduledReport, verifyScheduledOp } from "./verify-scheduled-op.ts";
import {
  scheduledOperands,
  scheduledRegions,
  scheduledResults,
  sharedAccesses,
} from "./visit-scheduled.ts";

export interface ScheduledVerifyOptions {
  /** Every buffer has its byte offset. */
  readonly allocated?: boolean;
}

function describe(value: SValue): string {
  return `%${value.name}.${value.id}: ${formatType(value.type)}`;
}

class Verifier {
  readonly found: Diagnostic[] = [];
  readonly #kernel: ScheduledKernel;
  readonly #visible = new Map<number, SValue>();
  readonly #everDefined = new Set<number>();
  readonly #buffers: ReadonlySet<string>;
  #loc: Location = UNKNOWN_LOCATION;
  #where = "kernel";

  constructor(kernel: ScheduledKernel) {
    this.#kernel = kernel;
    this.#buffers = new Set(kernel.shared.map((buffer) => buffer.name));
  }

  readonly report: ScheduledReport = (message, seen, expected) => {
    this.found.push({
      code: "TW9111",
      message: `scheduled IR: ${message}, in ${this.#where} of ${this.#kernel.name}`,
      seen,
      expected,
      remedy: "this is a bug in the pass that ran last; please report it with the kernel",
      location: this.#loc,
    });
  };

  run(options: ScheduledVerifyOptions): void {
    for (const buffer of this.#kernel.shared) {
      if (!sameAxes(buffer.axes, buffer.layout.axes))
        this.report(`buffer ${buffer.name} and its layout differ in axes`, "", "");
      if (options.allocated === true && buffer.byteOffset === undefined)
        this.report(`buffer ${buffer.name} has no place`, "none", "a byte offset");
    }
    if (this.#buffers.size !== this.#kernel.shared.length)
      this.report("two buffers share a name", "", "unique names");
    this.#block(this.#kernel.body);
  }

  #define(value: SValue): void {
    if (this.#everDefined.has(value.id))
      this.report("a value is defined twice", describe(value), "unique ids");
    this.#everDefined.add(value.id);
    this.#visible.set(value.id, value);
    const { layout, type } = value;
    if ((layout === undefined) !== (type.axes.length === 0)) {
      this.report("a tile needs a layout, a scalar has none", describe(value), "");
    }
    if (layout === undefined) return;
    if (!sameAxes(layout.axes, type.axes))
      this.report("a layout has other axes than its value", describe(value), "the same axes");
    const problem = layoutProblem(layout);
    if (problem !== undefined) this.report(`a layout is wrong: ${problem}`, describe(value), "");
    const threads = this.#kernel.numWarps * this.#kernel.warpSize;
    if (threadCount(layout) !== threads) {
      const seen = `${threadCount(layout)} threads`;
      this.report("a layout is for another block", seen, `${threads} threads`);
    }
  }

  #use(value: SValue): void {
    const known = this.#visible.get(value.id);
    if (known === undefined) {
      this.report("a value is used where it is not visible", describe(value), "a value above");
    } else if (!sameType(known.type, value.type)) {
      this.report("a use has another type than the definition", describe(value), describe(known));
    } else if (
      known.layout !== undefined &&
      (value.layout === undefined || !sameLayout(known.layout, value.layout))
    ) {
      this.report("a use has another layout than the definition", describe(value), "");
    }
  }

  #block(block: SBlock): void {
    const defined = [...block.params];
    for (const value of block.params) this.#define(value);
    for (const op of block.ops) {
      this.#loc = op.loc;
      this.#where = op.kind;
      this.#op(op);
      for (const value of scheduledResults(op)) {
        this.#define(value);
        defined.push(value);
      }
    }
    for (const value of block.yields) this.#use(value);
    for (const value of defined) this.#visible.delete(value.id);
  }

  #op(op: SOp): void {
    for (const value of scheduledOperands(op)) this.#use(value);
    for (const access of sharedAccesses(op)) {
      if (!this.#buffers.has(access.buffer))
        this.report("no such buffer", access.buffer, "a listed buffer");
    }
    verifyScheduledOp(op, this.#kernel, this.report);
    for (const region of scheduledRegions(op)) this.#block(region);
  }
}

/** Every rule of scheduled.ts that a kernel breaks; empty for a correct kernel. */
export function findScheduledViolations(
  kernel: ScheduledKernel,
  options: ScheduledVerifyOptions = {},
): readonly Diagnostic[] {
  const verifier = new Verifier(kernel);
  verifier.run(options);
  return verifier.found;
}

/**
 * Checks a kernel.
 * @param stage what ran last, named in the error
 * @throws InternalError TW9111 with all violations
 */
export function verifyScheduled(
  kernel: ScheduledKernel,
  stage?: string,
  options: ScheduledVerifyOptions = {},
): void {
  const found = findScheduledViolations(kernel, options);
  if (found.length === 0) return;
  const after = stage === undefined ? "" : ` (after ${stage})`;
  throw new InternalError(found.map((d) => ({ ...d, message: `${d.message}${after}` })));
}
