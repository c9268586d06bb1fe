/** [runtime/autotune] What the tuner and its compile processes say to each other. Types only; all of it survives a structured clone. */
import type { Artifact, CompileRequest } from "../../codegen/index.ts";
import type { TileKernel } from "../../dsl/index.ts";

/** A kernel that the front end has lowered; functions were inlined there. */
export interface CompileJob {
  readonly tile: TileKernel;
  readonly request: CompileRequest;
  /** Whether the driver loads a cubin, which NVRTC then makes in the same process. */
  readonly wantsCubin: boolean;
}

export type CompileOutcome =
  | {
      readonly ok: true;
      readonly artifact: Artifact;
      /** What a driver would keep on disk, by its key. */
      readonly binaries: readonly (readonly [key: string, data: Uint8Array])[];
      readonly ms: number;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly ms: number;
      /** Nothing is known of it: the time was over. */
      readonly cut?: true;
    };

export type ToCompiler = { readonly job: CompileJob };
export type FromCompiler =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly outcome: CompileOutcome };
