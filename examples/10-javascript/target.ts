/** [examples/10-javascript] The target itself: its name, the facts of its machine, its passes, and thread IR → text. */
import {
  type EmitRequest,
  type EmittedText,
  headLines,
  TARGETS,
  type Target,
  type TargetSpec,
  type ThreadKernel,
} from "../../index.ts";
import { BodyWriter } from "./statements.ts";

/** Threads of a block take turns; few of them, since each has its own generator. */
const MAX_THREADS = 32;

const spec: TargetSpec = {
  target: "javascript",
  warpSize: 1,
  maxThreads: MAX_THREADS,
  maxSharedBytes: 64 * 1024,
  features: [],
};

/** A generator function: one call is one thread of one block. */
function emit(kernel: ThreadKernel, request: EmitRequest): EmittedText {
  const entry = `kernel_${kernel.name}`;
  const body = new BodyWriter(kernel);
  body.writeArguments();
  body.write(kernel.body);
  const head = headLines(kernel, request).map((line) => `// ${line}`);
  const text = [...head, `function* ${entry}(block, thread) {`, ...body.lines, "}", ""].join("\n");
  return { text, entry };
}

export const javascript: Target = {
  name: "javascript",
  title: "JavaScript",
  extension: "js",
  version: "1",
  defaultSpec: () => spec,
  // The list of WGSL fits: it, too, may have warps of one lane, offsets of 32 bits and no copies that run ahead.
  pipeline: TARGETS.wgsl.pipeline,
  emit,
};
