/** [examples] 5: what becomes of example 4. The four levels of a compile, what the compiler says of its choices, and a page of it all. */
import { linear } from "../dsl/kernels/catalogue.ts";
import { compileStages, explain, inspect, inspectionPage, TARGETS } from "../index.ts";
import { type Example, runByHand } from "./example.ts";

/** What a launch with bf16 tensors and sizes that 16 divides would ask for. */
const request = {
  specialization: { dtypes: { T: "bf16", O: "bf16" } },
  divisibility: { M: 16, N: 16, K: 16 },
  target: TARGETS.cuda.defaultSpec("sm_80"),
} as const;

/** Lines of `text` with `word`, for which there must be some. */
function show(level: string, text: string, word: string): void {
  const lines = text.split("\n").filter((line) => line.includes(word));
  if (lines.length === 0) throw new Error(`the ${level} has no line with '${word}'`);
  console.log(`${level}:\n${lines.slice(0, 3).join("\n")}`);
}

export const main: Example = async () => {
  const { tile, passes, scheduled, thread, source } = compileStages(linear, request);
  // Tile IR is the program as it was written; a scheduled one has layouts (who holds what) and shared memory;
  // thread IR is what one thread does; the text is that in the target's own words.
  show("tile IR", tile, "dot ");
  show("scheduled IR", scheduled, "dot ");
  show("thread IR", thread, "mma");
  show("CUDA", source, "tw_mma_");
  const changing = passes.filter(({ text, level }, i) => {
    const before = passes[i - 1];
    return before?.level !== level || before.text !== text;
  });
  console.log(`${passes.length} passes, of which ${changing.length} changed something`);

  const { text, remarks } = explain(linear, request);
  console.log(text.trimEnd());
  if (!remarks.some(({ message }) => message.includes("cp.async")))
    throw new Error("no remark says how the operands are copied");

  // The same as one page: `tilewright inspect --kernel linear`.
  const page = inspectionPage(inspect(linear, request));
  if (!page.includes("load x: cp.async")) throw new Error("the page has no remarks");
  console.log(`the page of it all, with drawings of layouts and banks: ${page.length} characters`);
};

await runByHand(import.meta.url, main);
