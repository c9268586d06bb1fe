/** [engine] Captured steps by their shape: recorded when a shape is seen first, replayed by one launch after that. Knows no model. */
import { type Device, type Graph, MemoryPool } from "../runtime/index.ts";
import { StepScope } from "./layers/scope.ts";

interface Captured<Result> {
  readonly graph: Graph;
  readonly result: Result;
}

/** Each holds its launches on the device; steps of further shapes run as they are. */
const MOST_GRAPHS = 96;

/** Captured decodes have 1, 2, 4, 8 rows, then multiples of these; the rest of the rows is padding. */
const BUCKET_STEPS = [
  { upTo: 64, step: 16 },
  { upTo: 256, step: 32 },
  { upTo: Number.POSITIVE_INFINITY, step: 64 },
] as const;

/** Rows of the captured step that takes `count` sequences. */
export function bucketRows(count: number): number {
  if (count <= 8) return 2 ** Math.ceil(Math.log2(Math.max(1, count)));
  const step = BUCKET_STEPS.find(({ upTo }) => count <= upTo)?.step ?? 1;
  return Math.ceil(count / step) * step;
}

/**
 * @param Result what a recording gives: tensors that hold a step's results until the next step
 */
export class StepGraphs<Result> {
  readonly #device: Device;
  readonly #isOn: boolean;
  readonly #graphs = new Map<string, Captured<Result>>();
  /** Memory of all captured steps: they run one after another, so each may use all of it. */
  readonly #pool: MemoryPool;

  /** @param isOn false: every step is run as it is recorded; so it is where the device captures no graphs */
  constructor(device: Device, isOn: boolean) {
    this.#device = device;
    this.#isOn = isOn && device.capture !== undefined;
    this.#pool = new MemoryPool({
      alloc: (bytes) => device.alloc(bytes),
      release: (buffer) => device.free(buffer),
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Number of captured shapes. */
  get size(): number {
    return this.#graphs.size;
  }

  /**
   * Queues a step.
   * @param key of all that its launches depend on
   * @param record launches it; reads and writes only tensors that stay where they are, and those of its scope
   */
  run(key: string, record: (scope: StepScope) => Result): Result {
    const known = this.#graphs.get(key);
    if (known !== undefined) {
      known.graph.launch();
      return known.result;
    }
    const result = this.once(record);
    // What runs first has compiled all that the capture launches, which only writes launches down.
    if (this.#isOn && this.#graphs.size < MOST_GRAPHS) this.#capture(key, record);
    return result;
  }

  /** Queues a step launch by launch. */
  once(record: (scope: StepScope) => Result): Result {
    const scope = new StepScope(this.#device, this.#pool);
    try {
      return record(scope);
    } finally {
      scope.close(); // back to the pool of captured steps alone: what is queued still has its bytes
    }
  }

  close(): void {
    for (const { graph } of this.#graphs.values()) graph.close();
    this.#graphs.clear();
    this.#pool.close();
  }

  #capture(key: string, record: (scope: StepScope) => Result): void {
    const results: Result[] = [];
    const graph = this.#device.capture?.(() => {
      results.push(this.once(record));
    });
    const [result] = results;
    if (graph !== undefined && result !== undefined) this.#graphs.set(key, { graph, result });
  }
}
