/** [codegen/targets/cuda] Thread IR → CUDA C++ text. What it shares with HIP is in codegen/c-family. */
import { preludeNamesIn } from "../../c-family/assemble-prelude.ts";
import type { Dialect } from "../../c-family/context.ts";
import { emitCKernel } from "../../c-family/kernel-text.ts";
import type { ThreadKernel } from "../../ir/thread.ts";
import { assetUrl } from "../../text/asset.ts";
import { template } from "../../text/template.ts";
import { type EmitRequest, type EmittedText, headLines } from "../target.ts";
import { CUDA_PRIMITIVES } from "./intrinsics.ts";
import { readCudaPrelude } from "./prelude.ts";
import { PRELUDE_NAMES } from "./prelude-names.ts";

const DIALECT: Dialect = {
  title: "CUDA C++",
  primitives: CUDA_PRIMITIVES,
  hasMatrix: true,
  hasRoles: true,
  hasInstruction: (name) => PRELUDE_NAMES.get(`tw_${name}`)?.cuda !== false,
};

/** Makes the emitter; it keeps the skeleton and the prelude that it reads once. */
export function createCudaEmitter(): (kernel: ThreadKernel, request: EmitRequest) => EmittedText {
  const prelude = readCudaPrelude();
  const skeleton = template(assetUrl("targets/cuda/kernel.hbs"), {
    head: "strings",
    prelude: "string",
    signature: "string",
    body: "string",
  });
  return (kernel, request) => {
    const { entry, signature, body } = emitCKernel(kernel, DIALECT);
    const used = preludeNamesIn(`${signature}\n${body}`);
    const text = skeleton({
      head: headLines(kernel, request),
      prelude: prelude.assemble(used),
      signature,
      body,
    });
    return { text, entry };
  };
}
