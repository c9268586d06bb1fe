/** [engine/weights/quantization] Modules with one code a byte: fp8 and int8 with scales of tensors, rows or blocks; and 8-bit weights whose activations stay floats. */
import { DTYPES, decodeArray } from "../../../dsl/index.ts";
import { type Checkpoint, concatRows, type HostTensor } from "../checkpoint.ts";
import { columnGroups } from "./column-order.ts";
import {
  type DenseWeight,
  type EightBitWeight,
  FLOATS,
  floatsOf,
  floatTensor,
} from "./quantized-weight.ts";
import { groupsOf, type ModuleSize } from "./read-gptq.ts";
import { type EightBitScheme, type PackedScheme, refuse } from "./scheme.ts";

const BLOCK = 128;

interface Part {
  readonly codes: HostTensor;
  /** `[rows]`, or `[cdiv(rows, 128), cdiv(K, 128)]` */
  readonly scale: HostTensor;
  readonly inputScale: number | undefined;
}

function readPart(
  checkpoint: Checkpoint,
  { name, rows, inputs }: ModuleSize,
  { dtype, weights, scale: scaleName, activations }: EightBitScheme,
): Part | undefined {
  const codes = checkpoint.stored(`${name}.weight`, [dtype], [[rows, inputs]]);
  const blocks = [Math.ceil(rows / BLOCK), Math.ceil(inputs / BLOCK)];
  const shapes = { tensor: [[], [1], [1, 1]], channel: [[rows, 1], [rows]], block: [blocks] };
  const scale = checkpoint.stored(`${name}.${scaleName}`, FLOATS, shapes[weights]);
  const isStatic = activations === "static";
  const input = isStatic
    ? checkpoint.stored(`${name}.input_scale`, FLOATS, [[], [1], [1, 1]])
    : undefined;
  if (codes === undefined || scale === undefined || (isStatic && input === undefined))
    return undefined;
  for (const points of ["weight_zero_point", "input_zero_point"])
    requireZeros(checkpoint, `${name}.${points}`);
  const values = floatsOf(scale);
  const spread = weights === "tensor" ? new Float32Array(rows).fill(values[0] ?? 0) : values;
  return {
    codes,
    scale: floatTensor(spread, weights === "block" ? blocks : [rows]),
    inputScale: input && floatsOf(input)[0],
  };
}

/** Some tools write zero points of symmetric schemes too. */
function requireZeros(checkpoint: Checkpoint, name: string): void {
  const found = checkpoint.find(name);
  if (found?.dtype === undefined) return;
  const tensor = checkpoint.stored(name, [found.dtype], [found.shape]);
  if (tensor?.bytes.some((byte) => byte !== 0) === true)
    refuse(`zero points of 8-bit codes ('${name}')`);
}

/**
 * The modules of one layer, stacked.
 * @returns floats where activations stay floats, or where groups of 128 do not divide the rows of a module or the columns
 */
export function readEightBit(
  checkpoint: Checkpoint,
  modules: readonly ModuleSize[],
  scheme: EightBitScheme,
): EightBitWeight | DenseWeight | undefined {
  const read = modules.map((size) => readPart(checkpoint, size, scheme));
  const parts = read.flatMap((part) => (part === undefined ? [] : [part]));
  if (parts.length < read.length) return undefined;
  const { activations, weights } = scheme;
  const isWhole =
    weights !== "block" ||
    modules.every(
      ({ rows, inputs }, i) =>
        inputs % BLOCK === 0 && (rows % BLOCK === 0 || i === modules.length - 1),
    );
  const isGrouped = (weights === "block") === (activations === "group");
  if (activations === "none" || !isWhole || !isGrouped)
    return { kind: "dense", weight: concatRows(parts.map(toFloats)) };
  const inputScales = parts.flatMap(({ inputScale }) => inputScale ?? []);
  return {
    kind: "eight-bit",
    codes: concatRows(parts.map(({ codes }) => codes)),
    scale: concatRows(parts.map(({ scale }) => scale)),
    activations,
    inputScale: inputScales.length === 0 ? undefined : Math.max(...inputScales),
  };
}

function toFloats({ codes, scale }: Part): HostTensor {
  const [rows = 0, inputs = 0] = codes.shape;
  const values = Float32Array.from(decodeArray(codes.dtype, codes.bytes, rows * inputs));
  const scales = floatsOf(scale);
  const across = scale.shape[1];
  for (let n = 0; n < rows; n++)
    for (let k = 0; k < inputs; k++) {
      const at = across === undefined ? n : Math.floor(n / BLOCK) * across + Math.floor(k / BLOCK);
      values[n * inputs + k] = (values[n * inputs + k] ?? 0) * (scales[at] ?? 0);
    }
  return floatTensor(values, [rows, inputs]);
}

/** Codes of 8 bits in words along K, as floats: half their range was added to them. */
export function readPackedBytes(
  checkpoint: Checkpoint,
  { name, rows, inputs }: ModuleSize,
  { group, hasZeros, isReordered }: PackedScheme,
): HostTensor | undefined {
  const groups = groupsOf(inputs, group);
  checkpoint.skip(`${name}.weight_shape`);
  const packed = checkpoint.stored(`${name}.weight_packed`, ["i32"], [[rows, inputs / 4]]);
  const scale = checkpoint.stored(`${name}.weight_scale`, FLOATS, [[rows, groups]]);
  const zeros = hasZeros
    ? checkpoint.stored(`${name}.weight_zero_point`, ["i32"], [[rows / 4, groups]])
    : undefined;
  const index = isReordered
    ? checkpoint.stored(`${name}.weight_g_idx`, ["i32"], [[inputs]])
    : undefined;
  if (packed === undefined || scale === undefined || (hasZeros && zeros === undefined))
    return undefined;
  const found = index && columnGroups(`${name}.weight_g_idx`, index, groups);
  const groupAt = (k: number): number => found?.[k] ?? (group === 0 ? 0 : Math.floor(k / group));
  const scales = floatsOf(scale);
  const middle = 2 ** (DTYPES.i8.bits - 1);
  const values = Float32Array.from(packed.bytes, (code, i) => {
    const [n, g] = [Math.floor(i / inputs), groupAt(i % inputs)];
    // Words along the rows: four rows of a group in a word.
    const zero = zeros?.bytes[(Math.floor(n / 4) * groups + g) * 4 + (n % 4)] ?? middle;
    return (code - zero) * (scales[n * groups + g] ?? 0);
  });
  return floatTensor(values, [rows, inputs]);
}
