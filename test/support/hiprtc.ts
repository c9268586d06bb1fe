/** [test/support] Compiles HIP text with hiprtc in this process, for chips that its release knows, and shows its log. Needs no GPU. */
import { loadHiprtc } from "../../runtime/drivers/hip/library.ts";
import { hipFolders, locateHip } from "../../runtime/drivers/hip/locate.ts";

export interface HiprtcResult {
  readonly status: number;
  readonly log: string;
  /** Size of the code object; 0 where the compile failed. */
  readonly codeBytes: number;
}

export interface Hiprtc {
  readonly path: string;
  /** @param level how far it optimises */
  compile(text: string, arch: string, level?: "-O0" | "-O3"): HiprtcResult;
}

/**
 * Loads hiprtc; `TILEWRIGHT_HIP` names the runtime or its folder.
 * @throws Error where TILEWRIGHT_REQUIRE_DRIVERS=1 and it is absent
 * @returns the compiler, or the reason why there is none
 */
export function openHiprtc(): Hiprtc | { readonly reason: string } {
  const paths = locateHip();
  if (paths === undefined) {
    const reason = `no libamdhip64.so in ${hipFolders().length} usual folders; set TILEWRIGHT_HIP`;
    if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(reason);
    return { reason };
  }
  const library = loadHiprtc(paths.hiprtc, paths.before);
  const compile: Hiprtc["compile"] = (text, arch, level = "-O3") => {
    const program: [bigint] = [0n];
    if (library.hiprtcCreateProgram(program, text, "kernel.hip", 0, null, null) !== 0)
      throw new Error("hiprtcCreateProgram failed");
    const options = [`--offload-arch=${arch}`, "-std=c++17", level];
    const status = library.hiprtcCompileProgram(program[0], options.length, options);
    const [logSize, codeSize] = [[0], [0]];
    library.hiprtcGetProgramLogSize(program[0], logSize);
    const log = Buffer.alloc(Number(logSize[0]));
    if (log.length > 0) library.hiprtcGetProgramLog(program[0], log);
    if (status === 0) library.hiprtcGetCodeSize(program[0], codeSize);
    library.hiprtcDestroyProgram(program);
    const said = log.toString("utf8").replace(/\0+$/, "").trim();
    return { status, log: said, codeBytes: Number(codeSize[0]) };
  };
  return { path: paths.hiprtc, compile };
}
