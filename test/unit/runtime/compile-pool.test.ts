/** [test/unit/runtime] Compile processes of the tuner: what they give back, and what becomes of jobs that hang, crash or cannot begin. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { compile } from "../../../codegen/index.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { lowerKernel } from "../../../dsl/index.ts";
import { siluAndMul } from "../../../dsl/kernels/catalogue.ts";
import type { CompileJob } from "../../../runtime/autotune/compile-messages.ts";
import { CompilePool, type PoolOptions } from "../../../runtime/autotune/compile-pool.ts";

const specialization = { dtypes: { T: "f32" } } as const;
const request = { specialization, target: cudaSpec("sm_80") };
const job: CompileJob = {
  tile: lowerKernel(siluAndMul, specialization).tile,
  request,
  wantsCubin: false,
};

beforeAll(() => {
  process.env["TILEWRIGHT_CACHE_DIR"] = "off";
});

let pool: CompilePool | undefined;
afterEach(() => pool?.close());

function open(options: Partial<PoolOptions> = {}): CompilePool {
  pool = new CompilePool({ processes: 1, deadlineMs: 60_000, ...options });
  return pool;
}

/** A process that answers as the text says. */
function entry(text: string): URL {
  const path = join(mkdtempSync(join(tmpdir(), "tilewright-pool-")), "process.mjs");
  writeFileSync(path, text);
  return pathToFileURL(path);
}

const ODD = entry(`
  let jobs = 0;
  process.on("message", ({ job }) => {
    const kind = job.tile.name;
    if (kind === "hang") for (;;);
    if (kind === "crash") { process.stderr.write("out of luck"); process.exit(3); }
    process.send({ kind: "done", outcome: { ok: false, reason: kind + ++jobs, ms: 1 } });
  });
  process.send({ kind: "ready" });
`);
const named = (name: string): CompileJob => ({ ...job, tile: { ...job.tile, name } });

describe("compile processes", () => {
  it("give the artifact that a compile here gives", async () => {
    const outcome = await open().compile(job);
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(outcome.artifact).toEqual(compile(siluAndMul, request));
    expect(outcome.binaries).toEqual([]);
  });

  it("say why a kernel does not compile, and go on", async () => {
    const here = open();
    const bad = await here.compile({ ...job, request: { ...request, divisibility: { R: 3 } } });
    const good = await here.compile(job);
    expect(bad).toMatchObject({ ok: false, reason: expect.stringMatching(/^TW2304.*dim R/) });
    expect(good.ok).toBe(true);
  });

  it("are killed where a job hangs; the next gets another one", async () => {
    const here = open({ entry: ODD, deadlineMs: 300 });
    const start = performance.now();
    const [hung, next] = await Promise.all([
      here.compile(named("hang")),
      here.compile(named("fine")),
    ]);
    expect(hung).toMatchObject({ ok: false, reason: expect.stringMatching(/longer than 300 ms/) });
    expect(next).toMatchObject({ ok: false, reason: "fine1" });
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it("may crash without taking anything along", async () => {
    const here = open({ entry: ODD });
    const [crashed, next] = await Promise.all([
      here.compile(named("crash")),
      here.compile(named("fine")),
    ]);
    expect(crashed).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/code 3.*out of luck/),
    });
    expect(next).toMatchObject({ reason: "fine1" });
  });

  it("say what cannot begin at all", async () => {
    const broken = entry("throw new Error('no such luck')");
    await expect(open({ entry: broken }).compile(job)).rejects.toThrow(/TW3342[\s\S]*no such luck/);
  });

  it("drop what is not done when the time is over, and work on", async () => {
    const here = open({ entry: ODD });
    await here.compile(named("warm"));
    const jobs = [here.compile(named("hang")), here.compile(named("fine"))];
    await new Promise((resolve) => setTimeout(resolve, 50));
    here.cut();
    expect(await Promise.all(jobs)).toEqual([
      expect.objectContaining({ ok: false, cut: true }),
      expect.objectContaining({ ok: false, cut: true }),
    ]);
    expect(await here.compile(named("later"))).toMatchObject({ reason: "later1" });
  });
});
