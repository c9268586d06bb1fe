/** [engine/core-process] What the server's process and the core's say to each other: few messages, one a step, numbers packed. No process is started here. */
import {
  DeviceError,
  type Diagnostic,
  ModelError,
  TilewrightError,
  UnsupportedError,
} from "../../dsl/index.ts";
import type { EngineOptions, LoadProgress } from "../config.ts";
import type { CoreReport, CoreStats, NewRequest, RequestUpdate } from "../core-link.ts";
import type { ModelInfo } from "../load.ts";
import { ENGINE_OPTIONS, pickNamed } from "../option-names.ts";
import type { SleepLevel, SleepReport } from "../sleeping-model.ts";

/** Options that can be sent. */
export type SentOptions = Omit<EngineOptions, "device" | (typeof STAYING)[number]> & {
  readonly device?: string;
};

/** What stays in this process, besides all that is no option of the engine (a server's filters and keys). */
const STAYING = ["families", "onProgress", "signal", "coreProcess"] as const;

/** @throws ModelError TW4218 for options that are objects of this process */
export function sentOptions(options: EngineOptions): SentOptions {
  const { device, families } = options;
  if (families !== undefined || typeof device === "object") {
    throw new ModelError({
      code: "TW4218",
      message: "a core in a process of its own takes no objects of this one",
      seen: families === undefined ? "an open device" : "model families",
      expected: "a device by name, and the families of the package",
      remedy: "load the engine without coreProcess",
    });
  }
  const sent: Partial<Record<keyof EngineOptions, unknown>> = pickNamed(options, ENGINE_OPTIONS);
  for (const name of STAYING) delete sent[name];
  return sent as SentOptions;
}

export type ToCore =
  | { readonly kind: "load"; readonly options: SentOptions }
  /** All that came since the last message, in order. */
  | { readonly kind: "asks"; readonly asks: readonly Ask[] }
  | { readonly kind: "sleep"; readonly level: SleepLevel }
  | { readonly kind: "wake" }
  | { readonly kind: "close" };

export type Ask =
  | { readonly kind: "add"; readonly request: SentRequest }
  | { readonly kind: "abort"; readonly key: number }
  | { readonly kind: "reset" };

/** Token ids as words. */
export type SentRequest = Omit<NewRequest, "promptIds"> & { readonly promptIds: Int32Array };

export type FromCore =
  | { readonly kind: "progress"; readonly progress: LoadProgress }
  | { readonly kind: "ready"; readonly info: ModelInfo; readonly stats: CoreStats }
  | { readonly kind: "refused"; readonly error: SentError }
  | { readonly kind: "step"; readonly report: PackedReport }
  /** It sleeps, or is awake where there is no report; or the error says why not. */
  | { readonly kind: "turned"; readonly report?: SleepReport; readonly error?: SentError }
  | { readonly kind: "failed"; readonly error: SentError };

/** A report whose usual part, a token for each request, is two arrays. */
export interface PackedReport {
  readonly keys: Int32Array;
  /** Tokens of all updates, one after another, and how many each has. */
  readonly tokens: Int32Array;
  readonly counts: Int32Array;
  /** By index of the update, what it has besides. */
  readonly extras: readonly (readonly [number, Extra])[];
  readonly numTokens: number;
  readonly stats: CoreStats;
}

type Extra = Omit<RequestUpdate, "key" | "tokens" | "failure" | "logprobs"> & {
  readonly logprobs?: RequestUpdate["logprobs"];
  readonly failure?: SentError;
};

export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function packReport({ updates, numTokens, stats }: CoreReport): PackedReport {
  const extras: [number, Extra][] = [];
  updates.forEach(({ key: _key, tokens: _tokens, logprobs, failure, ...rest }, i) => {
    const extra = {
      ...rest,
      ...(logprobs.length === 0 ? {} : { logprobs }),
      ...(failure === undefined ? {} : { failure: packError(failure) }),
    };
    if (Object.keys(extra).length > 0) extras.push([i, extra]);
  });
  return {
    keys: Int32Array.from(updates, ({ key }) => key),
    tokens: Int32Array.from(updates.flatMap(({ tokens }) => tokens)),
    counts: Int32Array.from(updates, ({ tokens }) => tokens.length),
    extras,
    numTokens,
    stats,
  };
}

export function unpackReport(packed: PackedReport): CoreReport {
  const { keys, tokens, counts, extras, numTokens, stats } = packed;
  const extraOf = new Map(extras);
  let at = 0;
  const updates = Array.from(keys, (key, i): RequestUpdate => {
    const own = Array.from(tokens.subarray(at, at + (counts[i] ?? 0)));
    at += own.length;
    const { failure, logprobs = [], ...rest } = extraOf.get(i) ?? {};
    const failed = failure === undefined ? {} : { failure: unpackError(failure) };
    return { key, tokens: own, logprobs, ...rest, ...failed };
  });
  return { updates, numTokens, stats };
}

export function packError(error: unknown): SentError {
  const diagnostics = error instanceof TilewrightError ? error.diagnostics : [];
  if (!(error instanceof Error))
    return { name: "Error", message: String(error), stack: undefined, diagnostics };
  const { name, message, stack } = error;
  return { name, message, stack, diagnostics };
}

const CLASSES = [ModelError, DeviceError, UnsupportedError] as const;

export function unpackError({ name, message, stack, diagnostics }: SentError): Error {
  const Class = CLASSES.find((one) => one.name === name) ?? TilewrightError;
  const error = diagnostics.length > 0 ? new Class(diagnostics) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
