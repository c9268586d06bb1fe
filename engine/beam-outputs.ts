/** [engine] Beam search as callers see it: parameters in the shape of vLLM's `LLM.beam_search`, and what was found as outputs of their own. */
import { RequestError } from "../dsl/index.ts";
import type { SamplingParams } from "./core.ts";
import type { BeamOutput, RequestOutput } from "./output.ts";

/** Names and meaning are vLLM's. */
export interface BeamSearchParams
  extends Partial<
    Pick<
      SamplingParams,
      "ignoreEos" | "minTokens" | "stopTokenIds" | "includeStopStrInOutput" | "skipSpecialTokens"
    >
  > {
  /** Sequences that go on at each step, and that are given. */
  readonly beamWidth: number;
  readonly maxTokens: number;
  /** Sums of log-probabilities are divided by length to its power; 1 where absent. */
  readonly lengthPenalty?: number;
  /** Ends with the first `beamWidth` sequences that have ended; false where absent: it ends when no other can come in. */
  readonly earlyStopping?: boolean;
}

/** What a search over one prompt found. */
export interface BeamSearchOutput {
  readonly promptTokenIds: readonly number[];
  /** Best first. */
  readonly sequences: readonly BeamOutput[];
}

export function beamSampling({
  beamWidth,
  lengthPenalty = 1,
  earlyStopping = false,
  ...params
}: BeamSearchParams): Partial<SamplingParams> {
  return { ...params, beam: { width: beamWidth, lengthPenalty, earlyStopping } };
}

/** @throws RequestError TW4118 where the search was ended before it found something */
export function beamSearchOutput(output: RequestOutput): BeamSearchOutput {
  const { promptTokenIds, beams } = output;
  if (beams !== undefined) return { promptTokenIds, sequences: beams };
  throw new RequestError(
    {
      code: "TW4118",
      message: "the search was ended before its time",
      seen: output.finishReason ?? "no end",
      expected: "sequences",
      remedy: "start it again",
    },
    500,
  );
}

/** Each sequence of a search as an output of its own, best first; other outputs as they are. */
export function perBeam(output: RequestOutput): readonly RequestOutput[] {
  const { beams } = output;
  if (beams === undefined) return [output];
  return beams.map(({ tokenIds, text, finishReason, stopReason }) => ({
    ...output,
    tokenIds,
    text,
    deltaTokenIds: tokenIds,
    deltaText: text,
    logprobs: [],
    finishReason,
    stopReason,
  }));
}
