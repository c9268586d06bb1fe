/** [codegen/analysis] When each shared buffer is in use, as positions in the text of a scheduled kernel. Places are given by allocate-shared. */
import type { SBlock, ScheduledKernel } from "../ir/scheduled.ts";
import {
  ownerOf,
  type SharedAccess,
  scheduledRegions,
  sharedAccesses,
} from "../ir/visit-scheduled.ts";

/** Positions are counted in order of the text; an op that owns blocks spans them. Both ends belong to the range. */
export interface LiveRange {
  readonly start: number;
  readonly end: number;
}

/** A block around an access, and the span of the op in it that holds the access. */
interface Step {
  readonly block: SBlock;
  readonly isLoop: boolean;
  readonly blockSpan: LiveRange;
  readonly opSpan: LiveRange;
}

interface Access {
  readonly mode: SharedAccess["mode"];
  readonly path: readonly Step[];
}

class Collector {
  readonly #owner: (buffer: string) => string;
  readonly accesses = new Map<string, Access[]>();
  #position = 0;
  /** Accesses under ops whose span is still open. */
  #open: { block: SBlock; isLoop: boolean; start: number; opStart: number }[] = [];
  readonly #pending: {
    buffer: string;
    mode: Access["mode"];
    path: { block: SBlock; isLoop: boolean; start: number; opStart: number }[];
  }[] = [];
  readonly #ends = new Map<string, number>();
  /** Buffers that roles share: they are in use as long as the roles run. */
  readonly handed = new Set<string>();

  constructor(owner: (buffer: string) => string) {
    this.#owner = owner;
  }

  block(block: SBlock, isLoop: boolean): void {
    const start = this.#position++;
    for (const op of block.ops) {
      const opStart = this.#position++;
      this.#open.push({ block, isLoop, start, opStart });
      if (op.kind === "copy" && op.signal !== undefined) this.handed.add(op.into.buffer);
      for (const { buffer, mode } of sharedAccesses(op)) {
        if (mode === "sync") this.handed.add(buffer);
        this.#pending.push({ buffer: this.#owner(buffer), mode, path: [...this.#open] });
      }
      const loops = op.kind === "for" || op.kind === "while";
      for (const region of scheduledRegions(op)) this.block(region, loops);
      this.#open.pop();
      this.#ends.set(`op${opStart}`, this.#position - 1);
    }
    this.#ends.set(`block${start}`, this.#position++);
  }

  finish(): void {
    for (const { buffer, mode, path } of this.#pending) {
      const steps = path.map(({ block, isLoop, start, opStart }) => ({
        block,
        isLoop,
        blockSpan: { start, end: this.#ends.get(`block${start}`) ?? start },
        opSpan: { start: opStart, end: this.#ends.get(`op${opStart}`) ?? opStart },
      }));
      const list = this.accesses.get(buffer);
      if (list === undefined) this.accesses.set(buffer, [{ mode, path: steps }]);
      else list.push({ mode, path: steps });
    }
  }
}

/** The innermost block that holds every access, as an index into their paths. */
function commonDepth(accesses: readonly Access[]): number {
  const [first] = accesses;
  if (first === undefined) return 0;
  let depth = 0;
  while (
    depth + 1 < first.path.length &&
    accesses.every((access) => access.path[depth + 1]?.block === first.path[depth + 1]?.block)
  ) {
    depth++;
  }
  return depth;
}

function rangeOf(accesses: readonly Access[], ring: boolean): LiveRange {
  const depth = commonDepth(accesses);
  const steps = accesses.map((access) => access.path[depth]).filter((step) => step !== undefined);
  const start = Math.min(...steps.map((step) => step.opSpan.start));
  const end = Math.max(...steps.map((step) => step.opSpan.end));
  const [common] = steps;
  const first = accesses.find((access) => access.path[depth]?.opSpan.start === start);
  // Read before written in a loop's body (or a ring): the content comes from the trip before.
  if (common?.isLoop === true && (ring || first?.mode === "read")) return common.blockSpan;
  return { start, end };
}

/** Live range of every buffer that is accessed, by name. */
export function sharedLiveness(kernel: ScheduledKernel): ReadonlyMap<string, LiveRange> {
  const collector = new Collector((name) => ownerOf(kernel.shared, name));
  collector.block(kernel.body, false);
  collector.finish();
  const stages = new Map(kernel.shared.map((buffer) => [buffer.name, buffer.stages]));
  const always = { start: 0, end: Number.POSITIVE_INFINITY };
  return new Map(
    [...collector.accesses].map(([name, accesses]) => [
      name,
      collector.handed.has(name) ? always : rangeOf(accesses, (stages.get(name) ?? 1) > 1),
    ]),
  );
}

export function rangesOverlap(a: LiveRange, b: LiveRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}
