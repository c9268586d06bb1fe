/** [codegen/targets/hip] Thread IR → HIP text. What it shares with CUDA is in codegen/c-family. */
import { preludeNamesIn } from "../../c-family/assemble-prelude.ts";
import type { Dialect } from "../../c-family/context.ts";
import { emitCKernel } from "../../c-family/kernel-text.ts";
import type { ThreadKernel } from "../../ir/thread.ts";
import { matrixForm } from "../../layout/matrix-form.ts";
import { assetUrl } from "../../text/asset.ts";
import { template } from "../../text/template.ts";
import { type EmitRequest, type EmittedText, headLines } from "../target.ts";
import { HIP_PRIMITIVES } from "./intrinsics.ts";
import { readHipPrelude } from "./prelude.ts";

const DIALECT: Dialect = {
  title: "HIP C++",
  primitives: HIP_PRIMITIVES,
  hasMatrix: false,
  hasRoles: false,
  hasInstruction: (name) => name.startsWith("lds_") || matrixForm(name) !== undefined,
};

/** Makes the emitter; it keeps the skeleton and the prelude that it reads once. */
export function createHipEmitter(): (kernel: ThreadKernel, request: EmitRequest) => EmittedText {
  const prelude = readHipPrelude();
  const skeleton = template(assetUrl("targets/hip/kernel.hbs"), {
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
