/** [codegen/passes] Whether the blocks of a cluster can share the copies of a loop in roles: the tests, and why one fails. Builds nothing. */
import { backwardSlice } from "../analysis/backward-slice.ts";
import type { SCopy, ScheduledKernel, SFor, SOp } from "../ir/scheduled.ts";
import { scheduledOperands, walkScheduled } from "../ir/visit-scheduled.ts";
import { answer } from "../schedule/wishes.ts";
import { hasFeature, type PassContext } from "./pass.ts";

const PASS = "specialize-warps";
/** Rows of one pattern of a swizzle: each half of a box begins a new one. */
const PATTERN_ROWS = 8;

interface LoopParts {
  readonly before: readonly SOp[];
  readonly loop: SFor;
  readonly after: readonly SOp[];
  readonly copies: readonly SCopy[];
}

function readsPid(ops: readonly SOp[]): boolean {
  return ops.some((op) => op.kind === "pid");
}

/** A value of the program's own that is computed inside the loop could differ between blocks in ways that nothing outside shows. */
function movesByProgram({ before, loop, copies }: LoopParts): boolean {
  const needed = new Set(copies.flatMap((copy) => scheduledOperands(copy)).map(({ id }) => id));
  const inside = backwardSlice(
    loop.body.ops.filter((op) => op.kind !== "copy" && op.kind !== "dot"),
    needed,
  );
  const entered = new Set(inside.flatMap((op) => scheduledOperands(op)).map(({ id }) => id));
  return readsPid(inside) || readsPid(backwardSlice(before, entered));
}

function obstacle(parts: LoopParts, context: PassContext): string | undefined {
  const { before, loop, after, copies } = parts;
  if (!hasFeature(context, "multicast")) return "the target has no multicast";
  const bounds = new Set([loop.lo.id, loop.hi.id, loop.step.id]);
  if (readsPid(backwardSlice(before, bounds))) return "the number of trips depends on the program";
  if (movesByProgram(parts)) return "an address inside the loop depends on the program";
  let changes = false;
  walkScheduled({ params: [], ops: [...before, ...after], yields: [] }, (op) => {
    changes ||= op.kind === "atomic" || op.kind === "while";
  });
  if (changes) return "the kernel has atomics or open loops";
  for (const { at, tensor } of copies) {
    const slow = at.find((index) => index.kind === "span");
    const rows = slow?.kind === "span" ? slow.axis.size : 0;
    if (rows % (2 * PATTERN_ROWS) !== 0)
      return `${rows} rows of ${tensor} have no halves of whole patterns`;
    if (at.length < 2 || at.length > 3) return `${tensor} has ${at.length} dims, not 2 or 3`;
  }
  return undefined;
}

/** Whether the config asks for clusters of two blocks and the loop allows it. */
export function hasCluster(
  kernel: ScheduledKernel,
  parts: LoopParts,
  context: PassContext,
): boolean {
  if (kernel.config["cluster"] !== 2) return false;
  const why = obstacle(parts, context);
  const message =
    why === undefined
      ? "two blocks copy for each other what both read"
      : `no cluster of two blocks: ${why}`;
  context.remark(PASS, message, parts.loop.loc);
  answer(
    context,
    "cluster",
    why === undefined ? "as asked" : `not as asked: ${why}`,
    parts.loop.loc,
  );
  return why === undefined;
}
