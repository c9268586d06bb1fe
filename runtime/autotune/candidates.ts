/** [runtime/autotune] Makes candidates ready: compiled in other processes, loaded, and their outputs judged. Times nothing. */
import { DeviceError, lowerKernel } from "../../dsl/index.ts";
import type { Contender } from "../bench/contender.ts";
import { launchOptions, prepareOwn } from "../bench/own-contender.ts";
import { type CompilePool, LONGEST_TIMER_MS } from "./compile-pool.ts";
import { predict } from "./rank.ts";
import type { Ranked } from "./ranking.ts";
import { isPrivileged } from "./ranking.ts";
import type { Candidate } from "./space.ts";
import type { TuneSession } from "./tune-session.ts";

/** A candidate that may be timed. */
export interface Ready {
  readonly candidate: Candidate;
  readonly contender: Contender;
  /** Predicted microseconds, with what the compiler said. */
  readonly predictedUs: number;
}

export type Outcome =
  | { readonly kind: "ready"; readonly ready: Ready }
  | { readonly kind: "failed" | "wrong"; readonly reason: string }
  /** Nothing is known of it. */
  | { readonly kind: "cut" };

export interface PrepareOptions {
  readonly now: () => number;
  /** The moment after which none is begun but those that are tried in any case. */
  readonly deadlineMs: number;
  readonly onOutcome: (ranked: Ranked, outcome: Outcome, done: number) => void;
}

/** Milliseconds for a launch and the comparison of its outputs. */
const ANSWER_MS = 60_000;

/** Makes candidates ready in their order, several at once; each is told as soon as it is known. */
export async function prepareCandidates(
  session: TuneSession,
  candidates: readonly Ranked[],
  options: PrepareOptions,
): Promise<void> {
  await new Maker(session, options).run(candidates);
}

class Maker {
  readonly #session: TuneSession;
  readonly #options: PrepareOptions;
  readonly #lanes: number;
  readonly #pool: CompilePool | undefined;
  /** One judgement at a time: they share the scratch tensors. Fails for good once the device is lost. */
  #judging: Promise<unknown> = Promise.resolve();
  #next = 0;
  #done = 0;

  constructor(session: TuneSession, options: PrepareOptions) {
    this.#session = session;
    this.#options = options;
    // The interpreter has nothing to compile; its programs are made where they run.
    this.#pool = session.pool;
    this.#lanes = this.#pool?.size ?? 1;
  }

  async run(candidates: readonly Ranked[]): Promise<void> {
    const { now, deadlineMs } = this.#options;
    const certain = candidates.filter(({ candidate }) => isPrivileged(candidate)).length;
    let certainDone: () => void = () => {};
    const allCertain = new Promise<void>((resolve) => {
      certainDone = resolve;
      if (certain === 0) resolve();
    });
    let pending = certain;
    const lane = async (): Promise<void> => {
      for (;;) {
        const at = this.#next;
        const ranked = candidates[at];
        if (ranked === undefined || (at >= certain && now() >= deadlineMs)) return;
        this.#next++;
        this.#tell(ranked, await this.#make(ranked));
        if (at < certain && --pending === 0) certainDone();
      }
    };
    const lanes = Promise.all(Array.from({ length: this.#lanes }, lane));
    let timer: NodeJS.Timeout | undefined;
    const over = allCertain.then(
      () =>
        new Promise<void>((resolve) => {
          const left = Math.min(LONGEST_TIMER_MS, deadlineMs - now());
          timer = setTimeout(resolve, Math.max(0, left));
        }),
    );
    try {
      await Promise.race([lanes, over]);
    } finally {
      clearTimeout(timer);
      this.#pool?.cut();
    }
    await lanes;
  }

  #tell(ranked: Ranked, outcome: Outcome): void {
    this.#done++;
    this.#options.onOutcome(ranked, outcome, this.#done);
  }

  async #make(ranked: Ranked): Promise<Outcome> {
    const { candidate, prediction } = ranked;
    const made =
      this.#pool === undefined
        ? await this.#prepareHere(candidate)
        : await this.#compile(candidate, this.#pool);
    if (typeof made !== "number") return made;
    const contender = this.#session.contender(candidate.config);
    const judged = this.#judging.then(() =>
      this.#judge(contender).catch((error: unknown) => {
        // The device is lost, and with it this run; the next one must not begin with the same. Those that wait are not to blame.
        this.#tell(ranked, { kind: "failed", reason: lostWith(error) });
        throw error;
      }),
    );
    this.#judging = judged;
    const wrong = await judged;
    if (wrong !== undefined) return { kind: "wrong", reason: wrong };
    const predictedUs = made > 0 ? made : prediction.us;
    return { kind: "ready", ready: { candidate, contender, predictedUs } };
  }

  /** @returns why the outputs are not right */
  async #judge(contender: Contender): Promise<string | undefined> {
    const { judge } = this.#session;
    if (judge === undefined)
      return "nothing says what its outputs must be: no config of the kernel runs";
    const { hardware } = this.#session.device.info;
    const checking = judge.check(contender);
    const { passed, message } = await (hardware ? answered(checking, contender) : checking);
    return passed ? undefined : (message ?? "its outputs differ");
  }

  async #prepareHere({ config }: Candidate): Promise<Outcome | number> {
    const { device, args } = this.#session;
    const failure = await prepareOwn(device, args.subject.kernel, args, config);
    return failure === undefined ? 0 : { kind: "failed", reason: failure };
  }

  /** @returns microseconds predicted from the artifact, or what went wrong */
  async #compile({ config }: Candidate, pool: CompilePool): Promise<Outcome | number> {
    const { device, args, machine, cost } = this.#session;
    const { kernel } = args.subject;
    const options = launchOptions(args, config);
    const launchArgs = { ...args.sets[0], ...args.scalars };
    const { target } = device;
    if (target === undefined) return this.#prepareHere({ config, key: "", origin: "given" });
    try {
      const request = device.describeLaunch(kernel, launchArgs, options);
      const { tile, dependencies } = lowerKernel(kernel, request.specialization);
      const { functions: _inlined, ...specialization } = request.specialization;
      const outcome = await pool.compile({
        tile,
        request: { ...request, specialization, target },
        wantsCubin: device.info.versions["nvrtc"] !== undefined,
      });
      if (!outcome.ok)
        return outcome.cut ? { kind: "cut" } : { kind: "failed", reason: outcome.reason };
      const { artifact } = outcome;
      const binaries = new Map(outcome.binaries);
      await device.adopt(kernel, launchArgs, options, { artifact, dependencies, binaries });
      const { dims } = args.problem;
      return predict({ kernel, tile, config, dims, cost, machine, artifact }).us;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "TW3342") throw error;
      return { kind: "failed", reason: messageOf(error) };
    }
  }
}

/** @throws DeviceError TW3344 where the device does not come back: a kernel that waits for itself cannot be stopped from outside */
export async function answered<T>(
  work: Promise<T>,
  { name, detail }: Pick<Contender, "name" | "detail">,
  ms = ANSWER_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new DeviceError({
          code: "TW3344",
          message: `${name}: the device does not come back from a config`,
          seen: `no answer for ${ms / 1000} s; ${detail}`,
          expected: "an end of the launch",
          remedy:
            "end this process, which frees the device, and tune again: the config is recorded and passed by. Please report it",
        }),
      );
    }, ms);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** What is recorded of the config that took the device along. */
export function lostWith(error: unknown): string {
  return `the device was lost: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
