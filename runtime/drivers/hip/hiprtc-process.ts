/** [runtime/drivers] The process that runs hiprtc once: a request as JSON on standard input, the answer on standard output. Started by compiler.ts. */
import { nodeModule } from "../../../dsl/index.ts";
import { encodeAnswer, type HiprtcAnswer, type HiprtcRequest } from "./hiprtc-messages.ts";
import { type HiprtcLibrary, loadHiprtc } from "./library.ts";

const { readFileSync, writeSync } = nodeModule("node:fs");

function logOf(library: HiprtcLibrary, program: bigint): string {
  const size = [0];
  library.hiprtcGetProgramLogSize(program, size);
  const log = Buffer.alloc(Number(size[0]));
  if (log.length > 0) library.hiprtcGetProgramLog(program, log);
  return log.toString("utf8").replace(/\0+$/, "").trim();
}

function compile({ hiprtc, before, text, name, options }: HiprtcRequest): HiprtcAnswer {
  const library = loadHiprtc(hiprtc, before);
  const [major, minor] = [[0], [0]];
  library.hiprtcVersion(major, minor);
  const version = `${major[0]}.${minor[0]}`;
  const none = new Uint8Array(0);
  const program: [bigint] = [0n];
  const created = library.hiprtcCreateProgram(program, text, `${name}.hip`, 0, null, null);
  if (created !== 0) return { version, status: created, log: "", code: none };
  const status = library.hiprtcCompileProgram(program[0], options.length, options);
  const log = logOf(library, program[0]);
  if (status !== 0) return { version, status, log, code: none };
  const size = [0];
  library.hiprtcGetCodeSize(program[0], size);
  const code = new Uint8Array(Number(size[0]));
  library.hiprtcGetCode(program[0], code);
  library.hiprtcDestroyProgram(program);
  return { version, status, log, code };
}

const answer = encodeAnswer(compile(JSON.parse(readFileSync(0, "utf8")) as HiprtcRequest));
for (let sent = 0; sent < answer.byteLength; )
  sent += writeSync(1, answer, sent, answer.byteLength - sent);
