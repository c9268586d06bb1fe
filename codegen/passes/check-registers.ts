/** [codegen/passes] Refuses kernels whose tiles are far too large for the registers of their threads. Changes nothing; runs after the last pass on thread IR. */
import { type Location, UnsupportedError } from "../../dsl/index.ts";
import type { ThreadKernel } from "../ir/thread.ts";
import { walkStmts } from "../ir/visit-thread.ts";

/**
 * Elements of one tile that one thread may hold: four times what the registers of any GPU take, so that rows of a million elements still
 * compile, slow as they are. Beyond it compilers give up late and without a word on which tile it was (WGSL allows a function 8 KiB).
 */
const MOST_ELEMENTS = 1024;

/** @throws UnsupportedError TW2305 at the tile that takes the most */
export function checkRegisters(kernel: ThreadKernel): void {
  let most = { length: 0, name: "", type: "", loc: undefined as Location | undefined };
  walkStmts(kernel.body, (s) => {
    if (s.kind === "let" && s.reg.length > most.length) most = { ...s.reg, loc: s.loc };
  });
  const { length, name, type, loc } = most;
  if (length <= MOST_ELEMENTS) return;
  throw new UnsupportedError({
    code: "TW2305",
    message: `the tile '${name}' of kernel '${kernel.name}' is too large for its threads`,
    seen: `${length} elements of ${type} in each of ${kernel.threads} threads`,
    expected: `at most ${MOST_ELEMENTS}`,
    remedy:
      "walk over the dim in blocks of a config value, for (const i of range(cdiv(N, B))), or raise the config value warps",
    ...(loc === undefined ? {} : { location: loc }),
  });
}
