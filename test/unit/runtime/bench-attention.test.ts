/** [test/unit/runtime] Attention in the harness: what cuDNN is told of it, by a library that writes down its calls, and what configs mean. */
import { describe, expect, it } from "vitest";
import { KERNEL_ENTRIES } from "../../../dsl/kernels/catalogue.ts";
import type { AttentionCall } from "../../../runtime/bench/attention.ts";
import { benchmark } from "../../../runtime/bench/benchmark.ts";
import { openDevice } from "../../../runtime/index.ts";
import { buildAttention } from "../../../runtime/peers/cudnn-attention.ts";
import { CUDNN_DTYPE, CudnnGraph, POINTWISE } from "../../../runtime/peers/cudnn-graph.ts";
import type { CudnnLibrary } from "../../../runtime/peers/cudnn-library.ts";

const SIZES = { b: 2, hq: 4, hkv: 2, d: 64, dtype: "bf16", scale: 0.125, sets: [] } as const;
const GRAPH = 15;
const PLAN = 5;

/** Keeps what is set of each descriptor; the plan of every second config cannot be compiled. */
class Recorder {
  readonly types = new Map<bigint, number>();
  readonly set = new Map<bigint, Map<number, readonly bigint[]>>();
  readonly open = new Set<bigint>();
  refuses: number | undefined;
  #last = 0n;
  #plans = 0;

  readonly library = {
    cudnnGetLastErrorString: (text: Uint8Array) => {
      text.set(Buffer.from("no such thing\0"));
      return 0;
    },
    cudnnBackendCreateDescriptor: (type: number, out: [bigint]) => {
      out[0] = ++this.#last;
      this.types.set(this.#last, type);
      this.set.set(this.#last, new Map());
      this.open.add(this.#last);
      return 0;
    },
    cudnnBackendDestroyDescriptor: (descriptor: bigint) => {
      expect(this.open.delete(descriptor)).toBe(true);
      return 0;
    },
    cudnnBackendSetAttribute: (
      descriptor: bigint,
      name: number,
      _type: number,
      count: number,
      values: ArrayLike<number | bigint>,
    ) => {
      expect(values.length).toBe(count);
      this.set.get(descriptor)?.set(name, Array.from(values, BigInt));
      return 0;
    },
    cudnnBackendFinalize: (descriptor: bigint) => {
      const type = this.types.get(descriptor);
      if (type === this.refuses) return 2000;
      return type === PLAN && this.#plans++ % 2 === 0 ? 4001 : 0;
    },
    cudnnBackendGetAttribute: (
      _descriptor: bigint,
      name: number,
      _type: number,
      count: number,
      got: number[],
      values: BigInt64Array,
    ) => {
      got[0] = Math.min(2, count);
      if (name === 402) values[0] = 4096n;
      return 0;
    },
  } as unknown as CudnnLibrary;

  /** Modes of the pointwise operations of the graph, in order. */
  modes(): readonly number[] {
    return [...this.types].flatMap(([descriptor, type]) =>
      type === 0 ? [Number(this.set.get(descriptor)?.get(0)?.[0])] : [],
    );
  }

  of(type: number): readonly Map<number, readonly bigint[]>[] {
    return [...this.types].flatMap(([descriptor, its]) => {
      const set = this.set.get(descriptor);
      return its === type && set !== undefined ? [set] : [];
    });
  }
}

function build(call: Pick<AttentionCall, "l" | "lk" | "isCausal">) {
  const recorder = new Recorder();
  const graph = new CudnnGraph(recorder.library, 7n);
  const built = buildAttention(graph, { ...SIZES, ...call }, CUDNN_DTYPE.bf16);
  return { recorder, graph, built };
}

describe("attention as cuDNN is told of it", () => {
  it("is two products around a softmax, with no mask where every query sees every key", () => {
    const { recorder, built } = build({ l: 24, lk: 40, isCausal: false });
    const { mul, sub, exp, log, add, div } = POINTWISE;
    expect(recorder.modes()).toEqual([mul, sub, exp, log, add, div]);
    expect(recorder.of(19)).toHaveLength(2);
    expect(recorder.of(22)).toHaveLength(2);
    const [q, k] = recorder.of(17);
    expect(q?.get(902)).toEqual([2n, 4n, 24n, 64n]);
    expect(q?.get(903)).toEqual([24n * 256n, 64n, 256n, 1n]);
    expect(k?.get(902)).toEqual([2n, 2n, 64n, 40n]);
    expect(k?.get(903)).toEqual([40n * 128n, 64n, 1n, 128n]);
    expect(built.values.map(([, value]) => [...value])).toEqual([[0.125]]);
  });

  it("compares positions where it is causal, moved where there are more keys than queries", () => {
    const same = build({ l: 40, lk: 40, isCausal: true });
    const { index, greaterOrEqual, select, add, sub } = POINTWISE;
    expect(same.recorder.modes().slice(1, 5)).toEqual([index, index, greaterOrEqual, select]);
    expect(same.built.values.map(([, value]) => [...value])).toEqual([[0.125], [-Infinity]]);
    const past = build({ l: 24, lk: 40, isCausal: true });
    expect(past.recorder.modes().slice(3, 5)).toEqual([add, sub]);
    expect(past.built.values.map(([, value]) => [...value])).toEqual([
      [0.125],
      [40],
      [24],
      [-Infinity],
    ]);
  });

  it("runs by the plans that can be compiled, and leaves no descriptor open", () => {
    const { recorder, graph } = build({ l: 40, lk: 40, isCausal: true });
    const plans = graph.plans(4);
    expect(plans.map(({ workspaceBytes }) => workspaceBytes)).toEqual([4096]);
    const [list] = recorder.of(GRAPH);
    expect(list?.get(800)).toEqual([7n]);
    expect(list?.get(801)).toHaveLength(2 + 2 + recorder.modes().length);
    graph.close();
    expect(recorder.open.size).toBe(0);
  });

  it("says what the library says where it refuses the graph", () => {
    const { recorder, graph } = build({ l: 40, lk: 40, isCausal: true });
    recorder.refuses = GRAPH;
    expect(() => graph.plans(4)).toThrow(/finalizing descriptor 15[\s\S]*2000 \(no such thing\)/);
  });
});

describe("configs that mean something", () => {
  const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === "attention");
  const problem = { dims: { B: 1, L: 18, HQ: 2, D: 16, LK: 33, HKV: 1, DV: 16 } };
  const measure = { rounds: 1, warmupMs: 0, repeatMs: 1 };
  const run = async (configs: readonly Readonly<Record<string, number>>[]) => {
    if (entry === undefined) throw new Error("no attention");
    const device = await openDevice("interpreter");
    const { results } = await benchmark(device, entry, [problem], { configs, measure });
    await device.close();
    return results[0];
  };

  it("are what the outputs are checked against", async () => {
    const all = await run([{ CAUSAL: 0 }, { CAUSAL: 0, BM: 32 }]);
    expect(all?.contenders.map(({ failure }) => failure)).toEqual([undefined, undefined]);
    const causal = await run([{}]);
    expect(causal?.contenders[0]?.failure).toBeUndefined();
    expect(all?.flops).toBeGreaterThan(causal?.flops ?? Number.POSITIVE_INFINITY);
  });

  it("must be the same for all", async () => {
    await expect(run([{ CAUSAL: 0 }, { CAUSAL: 1 }])).rejects.toThrow(/TW3306/);
  });
});
