/** [engine/cli] What `tilewright tune` shows while it works: a bar on a terminal, else a line where something changes. */
import { SingleBar } from "cli-progress";
import { showConfig, type TunePhase, type TuneProgress } from "../../runtime/index.ts";

export interface ProgressView {
  readonly show: (progress: TuneProgress) => void;
  readonly stop: () => void;
}

const PHASES: Readonly<Record<TunePhase, string>> = {
  rank: "ranking",
  compile: "compiling",
  time: "timing",
  finals: "finals",
  done: "done",
};

/** A config that is faster by less than this is no news for a log. */
const NEWS = 0.97;

/** @param stream where it is shown; a bar where that is a terminal */
export function tuneProgress(
  stream: NodeJS.WriteStream,
  kernel: string,
  dims: Readonly<Record<string, number>>,
): ProgressView {
  const name = `${kernel} ${Object.values(dims).join("×")}`;
  return stream.isTTY ? bar(stream, name) : lines(stream, name);
}

function bar(stream: NodeJS.WriteStream, name: string): ProgressView {
  const single = new SingleBar({
    format: `${name} {phase} {bar} {done}/{count} {seconds} s  {best}`,
    stream,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 20,
  });
  const payload = (progress: TuneProgress) => ({
    phase: PHASES[progress.phase].padEnd(9),
    done: progress.done,
    count: progress.total,
    seconds: (progress.elapsedMs / 1000).toFixed(0),
    best: bestText(progress),
  });
  let hasBegun = false;
  return {
    show(progress) {
      const at = Math.min(progress.elapsedMs, progress.budgetMs);
      if (hasBegun) single.update(at, payload(progress));
      else single.start(progress.budgetMs, at, payload(progress));
      hasBegun = true;
    },
    stop() {
      if (hasBegun) single.stop();
    },
  };
}

function lines(stream: NodeJS.WriteStream, name: string): ProgressView {
  let phase: TunePhase | undefined;
  let best = Number.POSITIVE_INFINITY;
  return {
    show(progress) {
      const us = progress.best?.us ?? Number.POSITIVE_INFINITY;
      if (progress.phase === phase && us >= best * NEWS) return;
      phase = progress.phase;
      best = Math.min(best, us);
      const seconds = (progress.elapsedMs / 1000).toFixed(1);
      const what = `${PHASES[progress.phase]} ${progress.done}/${progress.total}`;
      stream.write(`${name}: ${seconds} s, ${what}  ${bestText(progress)}`.trimEnd());
      stream.write("\n");
    },
    stop() {},
  };
}

/** `best 104.1 µs (BM=128 BN=256), 91 % of the roofline's 94.9 µs`. */
export function bestText({ best, floorUs }: Pick<TuneProgress, "best" | "floorUs">): string {
  const roofline = floorUs === undefined ? "" : `roofline ${micros(floorUs)}`;
  if (best === undefined) return roofline;
  const share =
    floorUs === undefined ? "" : `, ${((100 * floorUs) / best.us).toFixed(0)} % of the ${roofline}`;
  return `best ${micros(best.us)} (${showConfig(best.config)})${share}`;
}

export function micros(us: number): string {
  if (us >= 10_000) return `${(us / 1000).toFixed(1)} ms`;
  return `${us.toFixed(us < 100 ? 2 : 1)} µs`;
}
