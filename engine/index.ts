/** [engine] The door of the engine room: load a model, generate, serve. */

import type { EngineOptions } from "./config.ts";
import { Engine } from "./engine.ts";
import type { Server } from "./server/http.ts";
import type { ServeOptions } from "./server/options.ts";
import { startServing } from "./server/serve-model.ts";

export type { BeamSearchOutput, BeamSearchParams } from "./beam-outputs.ts";
export type { EngineOptions, LoadProgress } from "./config.ts";
export type {
  AllowedTokens,
  BeamSequence,
  FinishReason,
  SamplingParams,
  TokenLogprobs,
} from "./core.ts";
export type { CoreStats } from "./core-link.ts";
export { Engine, type GenerateOptions, type Prompt } from "./engine.ts";
export { LLM } from "./llm.ts";
export type { ModelInfo } from "./load.ts";
export { decoderConfig, type FamilyTraits, type ModelFamily } from "./models/model.ts";
export type { BeamOutput, RequestOutput } from "./output.ts";
export { lastOutput, RequestGroup } from "./request-group.ts";
export { createApp, type Server, serveEngine } from "./server/http.ts";
export type { ServeOptions, TextFilter } from "./server/options.ts";
export { type StartingServer, startServing } from "./server/serve-model.ts";

/**
 * Loads a model and serves it: `await engine.serve({ model, port })`. The port is open from the start and answers 503 until the model is there.
 * @returns the running server; `close()` ends it and frees the device
 */
async function serve(options: EngineOptions & ServeOptions): Promise<Server> {
  const { loaded } = await startServing(options);
  return (await loaded).server;
}

export const engine = { load: Engine.load, serve } as const;
