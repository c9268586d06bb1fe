/** [engine/core-process] The process of a core: loads a model, steps what it is sent, says what came of it once a step. Started by core-process.ts. */
import { CoreLoop } from "../core-loop.ts";
import { coreParts, loadModel } from "../load.ts";
import type { SleepReport } from "../sleeping-model.ts";
import { type Ask, type FromCore, packError, packReport, type ToCore } from "./messages.ts";

/** A core that cannot go on ends with it. */
const FAILED = 70;

let core: CoreLoop | undefined;
/** Resolves when the last report is out. */
let lastReport: Promise<void> = Promise.resolve();

/** Resolves when the message is out of this process. */
function say(message: FromCore): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

async function load(options: Extract<ToCore, { kind: "load" }>["options"]): Promise<void> {
  const onProgress = (progress: Extract<FromCore, { kind: "progress" }>["progress"]) =>
    void say({ kind: "progress", progress });
  try {
    const model = await loadModel({ ...options, onProgress });
    const loop = new CoreLoop(coreParts(model, options), {
      report: (report) => {
        const before = lastReport;
        lastReport = say({ kind: "step", report: packReport(report) });
        return before; // the pipe is bounded, so a reader that is slow slows the core
      },
      fail: (error) =>
        void say({ kind: "failed", error: packError(error) }).then(() => process.exit(FAILED)),
    });
    core = loop;
    await say({ kind: "ready", info: model.info, stats: loop.stats });
  } catch (error) {
    await say({ kind: "refused", error: packError(error) });
    process.exit(1);
  }
}

function take(ask: Ask): void {
  switch (ask.kind) {
    case "add":
      core?.add({ ...ask.request, promptIds: Array.from(ask.request.promptIds) });
      return;
    case "abort":
      core?.abort(ask.key);
      return;
    case "reset":
      core?.resetPrefixCache();
      return;
    default:
      ask satisfies never;
  }
}

/** @param how gives a report where the core sleeps after */
async function turn(how: (core: CoreLoop) => Promise<SleepReport | undefined>): Promise<void> {
  try {
    const report = core === undefined ? undefined : await how(core);
    await say({ kind: "turned", ...(report === undefined ? {} : { report }) });
  } catch (error) {
    await say({ kind: "turned", error: packError(error) });
  }
}

async function close(): Promise<void> {
  await core?.close();
  process.exit(0);
}

process.on("message", (message: ToCore) => {
  switch (message.kind) {
    case "load":
      void load(message.options);
      return;
    case "asks":
      for (const ask of message.asks) take(ask);
      return;
    case "sleep":
      void turn(async (awake) => awake.sleep(message.level));
      return;
    case "wake":
      void turn(async (asleep) => {
        await asleep.wake();
        return undefined;
      });
      return;
    case "close":
      void close();
      return;
    default:
      message satisfies never;
  }
});
// A terminal sends its signals to all processes; those that wait for answers decide when the core ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(0));
if (!process.connected) process.exit(0); // whoever started it is gone before it listened
