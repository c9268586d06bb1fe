/** [runtime/bench] Checks large outputs at some elements, recomputed on the host from operands that are read back row by row. */
import { compareTensors, decodeArray, formatComparison, storageBytes } from "../../dsl/index.ts";
import type { ReadNumbers } from "../../dsl/kernels/catalogue.ts";
import type { Device, Tensor } from "../device.ts";
import { type CallArguments, tensorIn } from "./arguments.ts";
import type { CheckResult, Reference } from "./contender.ts";

/** Some drivers read whole words alone. */
const WORD = 4;

/** @param args their subject has `spots`; all sets hold the same operands */
export async function spotReference(args: CallArguments): Promise<Reference> {
  const { device, problem, subject } = args;
  const { spots } = subject;
  if (spots === undefined) throw new TypeError(`${subject.kernel.name} has no spots`);
  const readFrom =
    (set: number): ReadNumbers =>
    (name, start, count) =>
      readNumbers(device, tensorIn(args.sets[set], name), start, count);
  const elements = await spots.elements(problem, readFrom(0));
  const check = async (set: number): Promise<CheckResult> => {
    const read = readFrom(set);
    let worst = 0;
    for (const { tensor, index, expected, tolerance } of elements) {
      const { dtype, shape } = tensorIn(args.sets[set], tensor);
      const found = compareTensors(await read(tensor, index, 1), [expected], dtype, tolerance);
      worst = Math.max(worst, found.worst);
      if (found.mismatches === 0) continue;
      const first = found.first.map((mismatch) => ({ ...mismatch, index }));
      const message = `set ${set}: ${formatComparison(tensor, shape, { ...found, first })}`;
      return { passed: false, worst, elements: elements.length, message };
    }
    return { passed: true, worst, elements: elements.length };
  };
  return { how: `double sums of ${elements.length} elements on the host`, check };
}

async function readNumbers(
  device: Device,
  { buffer, byteOffset, dtype }: Tensor,
  start: number,
  count: number,
): Promise<Float64Array> {
  const size = storageBytes(dtype, 1);
  const from = byteOffset + start * size;
  const aligned = Math.floor(from / WORD) * WORD;
  const end = Math.ceil((from + count * size) / WORD) * WORD;
  const bytes = await device.read(buffer, aligned, end - aligned);
  const own = bytes.slice(from - aligned, from - aligned + count * size);
  return Float64Array.from(decodeArray(dtype, own, count));
}
