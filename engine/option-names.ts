/** [engine] Options and parameters by name: one that does not exist is refused, since a type tells nobody at run time. What values may be is checked elsewhere. */
import { type Diagnostic, didYouMean, ModelError, RequestError } from "../dsl/index.ts";
import type { EngineOptions } from "./config.ts";
import type { BeamParams, SamplingParams } from "./core.ts";
import type { GenerateOptions } from "./engine.ts";
import type { ServeOptions, TracingOptions } from "./server/options.ts";

/** Every name of a record type; the compiler says when one is missing. */
export type Names<T> = Readonly<Record<keyof T, true>>;

export const ENGINE_OPTIONS: Names<EngineOptions> = {
  model: true,
  revision: true,
  device: true,
  dtype: true,
  kvCacheDtype: true,
  loadFormat: true,
  quantization: true,
  tokenizer: true,
  maxModelLen: true,
  maxNumSeqs: true,
  maxNumBatchedTokens: true,
  blockSize: true,
  gpuMemoryUtilization: true,
  kvCacheMemoryBytes: true,
  numGpuBlocksOverride: true,
  schedulingPolicy: true,
  longestPrefixFirst: true,
  longPrefillTokenThreshold: true,
  maxQueuedRequests: true,
  maxLogprobs: true,
  enablePrefixCaching: true,
  asyncScheduling: true,
  coreProcess: true,
  batchInvariant: true,
  seed: true,
  servedModelName: true,
  warmUp: true,
  enforceEager: true,
  disableCascadeAttn: true,
  families: true,
  onProgress: true,
  signal: true,
};

export const SERVE_OPTIONS: Names<ServeOptions> = {
  port: true,
  host: true,
  apiKeys: true,
  maxConcurrentRequests: true,
  maxBodyBytes: true,
  maxPrompts: true,
  maxChoices: true,
  maxStops: true,
  keepAliveSeconds: true,
  allowedOrigins: true,
  allowedHosts: true,
  tls: true,
  chatTemplate: true,
  chatTemplateSeconds: true,
  pooling: true,
  trustRequestChatTemplate: true,
  adminRoutes: true,
  metricsNamespace: true,
  tracing: true,
  logLevel: true,
  logTo: true,
  forceIncludeUsage: true,
  inputFilter: true,
  outputFilter: true,
};

const TRACING_OPTIONS: Names<TracingOptions> = {
  endpoint: true,
  headers: true,
  serviceName: true,
  sampleRate: true,
};

const TLS_OPTIONS: Names<NonNullable<ServeOptions["tls"]>> = { key: true, cert: true, ca: true };

const BEAM_PARAMS: Names<BeamParams> = { width: true, lengthPenalty: true, earlyStopping: true };

const SAMPLING_PARAMS: Names<SamplingParams> = {
  maxTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  minP: true,
  presencePenalty: true,
  frequencyPenalty: true,
  repetitionPenalty: true,
  logitBias: true,
  allowedTokenIds: true,
  badWords: true,
  badWordsTokenIds: true,
  allowedTokens: true,
  seed: true,
  n: true,
  bestOf: true,
  stop: true,
  stopTokenIds: true,
  includeStopStrInOutput: true,
  ignoreEos: true,
  minTokens: true,
  skipSpecialTokens: true,
  logprobs: true,
  promptLogprobs: true,
  beam: true,
  pooling: true,
};

const GENERATE_OPTIONS: Names<GenerateOptions> = {
  requestId: true,
  priority: true,
  cacheSalt: true,
  forkOf: true,
  clock: true,
};

/**
 * Those of `options` that `names` has: what one of several readers of shared options gets.
 * @param names of some of its fields
 */
export function pickNamed<T extends object>(
  options: T,
  names: Readonly<Record<string, true>>,
): Partial<T> {
  const entries = Object.entries(options).filter(([name]) => Object.hasOwn(names, name));
  return Object.fromEntries(entries) as Partial<T>;
}

/** @throws ModelError TW4124 with every name that is no option */
export function checkOptionNames(
  options: object,
  ...known: readonly Readonly<Record<string, true>>[]
): void {
  const names = known.flatMap((one) => Object.keys(one));
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  const problems = unknown.map((name) => unknownName(name, names, "option"));
  if (problems.length > 0) throw new ModelError(problems);
}

/** Those of a server, and of the records in them. @throws ModelError TW4124 with every name that is no option */
export function checkServeNames(
  options: ServeOptions,
  ...more: readonly Readonly<Record<string, true>>[]
): void {
  checkOptionNames(options, SERVE_OPTIONS, ...more);
  if (options.tracing !== undefined) checkOptionNames(options.tracing, TRACING_OPTIONS);
  if (options.tls !== undefined) checkOptionNames(options.tls, TLS_OPTIONS);
}

/** @throws RequestError TW4124 for a name that is no parameter of sampling, or of its beam search */
export function checkSamplingNames(params: Partial<SamplingParams>): void {
  refuseUnknown(params, SAMPLING_PARAMS, "sampling parameter");
  if (params.beam !== undefined) refuseUnknown(params.beam, BEAM_PARAMS, "parameter of a search");
}

/**
 * What is asked of a request besides its prompt.
 * @param options a string is the request's id
 * @throws RequestError TW4124 for a name that is no option
 */
export function generateOptions(options: string | GenerateOptions): GenerateOptions {
  if (typeof options === "string") return { requestId: options };
  refuseUnknown(options, GENERATE_OPTIONS, "option of a request");
  return options;
}

/** Once a request: nothing is built where all names are known. */
function refuseUnknown(given: object, known: Readonly<Record<string, true>>, what: string): void {
  const name = Object.keys(given).find((one) => !Object.hasOwn(known, one));
  if (name === undefined) return;
  throw new RequestError(unknownName(name, Object.keys(known), what), 400, name);
}

function unknownName(name: string, known: readonly string[], what: string): Diagnostic {
  return {
    code: "TW4124",
    message: `there is no ${what} of that name`,
    seen: name,
    expected: [...known].sort().join(", "),
    remedy: `${didYouMean(name, known)}take it out`,
  };
}
