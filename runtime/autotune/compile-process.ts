/** [runtime/autotune] A process that compiles what the tuner sends it, one job at a time. It is killed where a job takes too long. */
import { compileTile } from "../../codegen/index.ts";
import { TilewrightError } from "../../dsl/index.ts";
import type { BinaryCache } from "../backend.ts";
import { openDiskCache } from "../disk-cache.ts";
import { NvrtcCompiler } from "../drivers/cuda/compiler.ts";
import { KernelCache } from "../kernel-cache.ts";
import type { CompileJob, CompileOutcome, FromCompiler, ToCompiler } from "./compile-messages.ts";

const kept = new KernelCache(openDiskCache());
let nvrtc: NvrtcCompiler | undefined;

function compileJob({ tile, request, wantsCubin }: CompileJob): CompileOutcome {
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  try {
    const artifact = compileTile(tile, request);
    const binaries: [string, Uint8Array][] = [];
    if (wantsCubin) {
      // What lies on disk already need not be sent; the tuner finds it there itself.
      const cache: BinaryCache = {
        get: (key) => kept.get(key),
        put: (key, data) => void binaries.push([key, data]),
      };
      nvrtc ??= new NvrtcCompiler();
      const { text, entry: name } = artifact;
      nvrtc.cubin({ text, name, arch: request.target.arch ?? "" }, cache);
    }
    return { ok: true, artifact, binaries, ms: elapsed() };
  } catch (error) {
    const isOurs = error instanceof TilewrightError;
    const reason = isOurs ? error.message : error instanceof Error ? error.stack : undefined;
    return { ok: false, reason: reason ?? String(error), ms: elapsed() };
  }
}

function say(message: FromCompiler): void {
  process.send?.(message);
}

process.on("message", ({ job }: ToCompiler) => {
  say({ kind: "done", outcome: compileJob(job) });
});
process.on("disconnect", () => process.exit(0)); // the tuner is gone
say({ kind: "ready" });
