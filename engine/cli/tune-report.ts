/** [engine/cli] Results of tuning as text: the winner, what it is worth, what failed and why. Runs nothing. */
import { showConfig, type TuneResult } from "../../runtime/index.ts";
import { micros } from "./tune-progress.ts";

/** Runners-up that are shown, and reasons of failures. */
const SHOWN = 5;

export function formatTuning(results: readonly TuneResult[]): string {
  return results.map(formatOne).join("\n");
}

function formatOne(result: TuneResult): string {
  const { winner, counts, kernel, device, elapsedMs } = result;
  const dims = showConfig(result.dims);
  const dtypes = Object.entries(result.dtypes).map(([name, dtype]) => `${name}=${dtype}`);
  const rates = [
    ...(winner.teraflops > 0 ? [`${winner.teraflops.toPrecision(4)} TFLOP/s`] : []),
    `${winner.gigabytesPerSecond.toPrecision(4)} GB/s`,
    ...(winner.percentOfFloor === undefined
      ? []
      : [`${winner.percentOfFloor.toFixed(1)} % of the roofline`]),
    ...(winner.speedup === undefined ? [] : [`${winner.speedup.toFixed(2)} × the default`]),
  ];
  const spread = `${micros(winner.us.p20)} to ${micros(winner.us.p80)}, ${winner.mode}`;
  return [
    `${kernel} ${dims} ${dtypes.join(" ")} on ${device}`,
    `  winner   ${showConfig(winner.config)}`,
    `  time     ${micros(winner.us.median)} (${spread}); ${rates.join(", ")}`,
    ...runnersUp(result),
    `  configs  ${counts.space}: ${counts.measured} measured now, ${counts.reused} from earlier runs, ${counts.left} left for lack of time, ${counts.failed} failed, ${counts.wrong} wrong`,
    ...failures(result),
    ...(counts.space === 1
      ? [
          "  no choices: give the kernel's record some, for example `tune: { BM: [64, 128] }`, or --config",
        ]
      : []),
    `  checked  ${result.checkedBy === undefined ? "in earlier runs" : `by ${result.checkedBy}`}; ${(elapsedMs / 1000).toFixed(1)} s`,
    "",
  ].join("\n");
}

function runnersUp({ results, winner }: TuneResult): readonly string[] {
  const winning = showConfig(winner.config);
  return results
    .filter(({ us, config }) => us !== undefined && showConfig(config) !== winning)
    .slice(0, SHOWN)
    .map(({ us, final, config }) => {
      const careful = final === undefined ? "" : `, ${final.mode} ${micros(final.us.median)}`;
      return `  then     ${us === undefined ? "" : micros(us.median)} cold${careful}  ${showConfig(config)}`;
    });
}

/** Each reason once, with how many configs it stopped. */
function failures({ results }: TuneResult): readonly string[] {
  const counts = new Map<string, { readonly config: string; count: number }>();
  for (const { status, reason, config } of results) {
    if (status === "timed") continue;
    const [line = ""] = (reason ?? "").split("\n");
    const text = `${status}: ${line.slice(0, 160)}`;
    const known = counts.get(text);
    if (known === undefined) counts.set(text, { config: showConfig(config), count: 1 });
    else known.count++;
  }
  return [...counts]
    .slice(0, SHOWN)
    .map(([text, { config, count }]) => `  ${count} × ${text}  (${config})`);
}
