/** [test/support] The product of examples/18 as source text, to be changed and read again: planted faults, other shapes of the same roles. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type KernelDefinition, kernelFromSource } from "../../index.ts";

const FILE = "examples/18-explicit-gemm.ts";

/** From the imports to the end of the kernel. */
function kernelText(): string {
  const text = readFileSync(join(import.meta.dirname, "../..", FILE), "utf8");
  const end = text.indexOf("/** What a launch");
  if (end < 0) throw new Error(`${FILE} has no comment behind its kernel`);
  return text
    .slice(0, end)
    .replace(/^import \{ check.*$/m, "")
    .replace('from "../index.ts"', 'from "tilewright"');
}

/**
 * The kernel with pieces of its text replaced.
 * @throws Error where a piece is not there
 */
export function changedGemm(...changes: readonly (readonly [string, string])[]): KernelDefinition {
  let text = kernelText();
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${FILE} does not say ${from}`);
    text = text.replace(from, to);
  }
  return kernelFromSource(text, "explicitGemm");
}

type Changes = readonly (readonly [string, string])[];

/** The product of 8-bit floats, into f32. */
export const OF_BYTES: Changes = [
  ['["f32", "f16", "bf16"]', '["f8e4m3", "f8e5m2"]'],
  ['out("T", "M", "N")', 'out("f32", "M", "N")'],
  ["cast(acc, T)", "acc"],
];

const TAKES_UP = `acc = dotAsync(slot(xs, n), slot(ws, n), acc);
              dotWait(1); // all but the dot just started
              if (k > 0) barrierArrive(empty, n - 1);`;
const LAST = `            acc = dotWait(0, acc);
            if (K > 0) barrierArrive(empty, n - 1);
`;

/** The product of each trip by itself, added up in registers. */
export const TRIP_BY_TRIP: Changes = [
  [
    TAKES_UP,
    "acc = acc + dotWait(0, dotAsync(slot(xs, n), slot(ws, n)));\n              barrierArrive(empty, n);",
  ],
  [LAST, ""],
];

/** A mistake: its name, what is replaced by what, what the interpreter says and what the compiler says. */
export type PlantedMistake = readonly [
  name: string,
  from: string,
  to: string,
  interpreter: RegExp,
  compiler: RegExp,
];

const RELEASE = "if (k > 0) barrierArrive(empty, n - 1);";
const BYTES = "slotBytes(xs) + slotBytes(ws)";
const ONCE = "let n = 0;\n          for (const p of programs()) {";

/** One of each kind: deadlock, read before full, overwrite before empty, byte counts, rounds of a barrier. */
export const MISTAKES: readonly PlantedMistake[] = [
  ["tiles are read without a wait", "barrierWait(full, n);", "", /TW1313/, /TW2102/],
  ["slots are filled without a wait", "barrierWait(empty, n - stages);", "", /TW1314/, /TW2103/],
  ["slots are never given back", RELEASE, "", /TW1312/, /TW2101/],
  ["the last slot is not", "if (K > 0) barrierArrive(empty, n - 1);", "", /TW1312/, /TW2101/],
  [
    "slots are given back while a dot reads them",
    RELEASE,
    "barrierArrive(empty, n);",
    /TW1314/,
    /TW210[35]/,
  ],
  ["no bytes are expected", `barrierExpect(full, n, ${BYTES});`, "", /TW1312/, /TW210[14]/],
  [
    "a wait is for the use that begins",
    "barrierWait(empty, n - stages);",
    "barrierWait(empty, n);",
    /TW1312/,
    /TW2101/,
  ],
  ["too few bytes are expected", BYTES, "slotBytes(xs)", /TW1315/, /TW2104/],
  ["too many bytes are expected", BYTES, `${BYTES} + 16`, /TW1312[\s\S]*bytes/, /TW2104/],
  [
    "a barrier wants more arrivals than come",
    "arrivals: consumers",
    "arrivals: consumers + 1",
    /TW1312[\s\S]*2 of 3 arrivals/,
    /TW2101/,
  ],
  [
    "a barrier wants fewer arrivals than come",
    "arrivals: consumers",
    "arrivals: 1",
    /TW1316/,
    /TW2105/,
  ],
  [
    "uses begin anew with each program",
    ONCE,
    "for (const p of programs()) {\n            let n = 0;",
    /TW1316/,
    /TW2103/,
  ],
  [
    "a wait is for the use before the last",
    "barrierWait(empty, n - stages);",
    "barrierWait(empty, n - 2 * stages);",
    /TW1316/,
    /TW2101/,
  ],
  ["bytes count elsewhere", "xs, n, full);", "xs, n, empty);", /TW1312/, /TW2104/],
];
