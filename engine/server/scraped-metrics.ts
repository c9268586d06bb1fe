/** [engine/server] Metrics that are read when they are scraped: what the core counts, and the process. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { Engine } from "../engine.ts";

export function addGauges(engine: Engine, namespace: string, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `${namespace}:${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const { numPages, pageSize } = engine.info;
  gauge("num_requests_running", "Requests that take part in steps.", () => engine.numRunning);
  gauge("num_requests_waiting", "Requests that have not begun.", () => engine.numWaiting);
  gauge(
    "kv_cache_usage_perc",
    "Share of the KV cache that requests hold, 0 to 1.",
    () => 1 - engine.numFreePages / Math.max(1, numPages - 1),
  );
  addSleepState(engine, namespace, registers);
  const config = new Gauge({
    name: `${namespace}:cache_config_info`,
    help: "Sizes of the KV cache, as labels.",
    labelNames: ["block_size", "num_gpu_blocks"],
    registers,
  });
  config.set({ block_size: String(pageSize), num_gpu_blocks: String(numPages) }, 1);
}

const SLEEP_STATES = { awake: undefined, weights_offloaded: 1, discard_all: 2 } as const;

/** @source vLLM's production metrics: one series a state, 1 for the one that holds */
function addSleepState(engine: Engine, namespace: string, registers: Registry[]): void {
  new Gauge({
    name: `${namespace}:engine_sleep_state`,
    help: "Whether the engine is awake, or what it did with its weights: 1 for what holds.",
    labelNames: ["sleep_state"],
    registers,
    collect() {
      for (const [state, level] of Object.entries(SLEEP_STATES))
        this.set({ sleep_state: state }, engine.sleepLevel === level ? 1 : 0);
    },
  });
}

/** Counted by the core, in one place. */
export function addCounters(engine: Engine, namespace: string, registers: Registry[]): void {
  counter(
    `${namespace}:num_preemptions_total`,
    "Requests that gave their pages back and started over.",
    () => engine.stats.numPreemptions,
    registers,
  );
  counter(
    `${namespace}:prefix_cache_queries_total`,
    "Prompt tokens looked up in the prefix cache.",
    () => engine.stats.prefixQueried,
    registers,
  );
  counter(
    `${namespace}:prefix_cache_hits_total`,
    "Prompt tokens found in the prefix cache.",
    () => engine.stats.prefixHits,
    registers,
  );
  counter(
    `${namespace}:cascade_positions_saved_total`,
    "Positions of shared beginnings that decodes did not read again.",
    () => engine.stats.sharedPositions,
    registers,
  );
}

/** Of the process that serves, under the names that Prometheus's own clients give. */
export function addProcess(registers: Registry[]): void {
  counter(
    "process_cpu_seconds_total",
    "Processor time of this process, user and system.",
    () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    registers,
  );
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge("process_resident_memory_bytes", "Memory of this process that is in RAM.", () =>
    process.memoryUsage.rss(),
  );
  gauge("nodejs_heap_size_used_bytes", "JavaScript's heap of this process.", () => {
    return process.memoryUsage().heapUsed;
  });
  new Gauge({
    name: "process_start_time_seconds",
    help: "Unix time at which this process started.",
    registers,
  }).set(performance.timeOrigin / 1000);
}

function counter(name: string, help: string, read: () => number, registers: Registry[]): void {
  new Counter({
    name,
    help,
    registers,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
