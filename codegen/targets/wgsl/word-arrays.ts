/** [codegen/targets/wgsl] Chooses the WGSL arrays that hold tensors and shared buffers: element type, vector width, atomic or not. No text. */
import { DTYPES, type DType } from "../../../dsl/index.ts";
import type { Stmt, ThreadKernel, ThreadShared } from "../../ir/thread.ts";
import { walkStmts } from "../../ir/visit-thread.ts";

/**
 * Memory as an array of vectors of 32-bit words. Narrow elements are packed in words, the first one lowest. Where threads store less
 * than a word, the words are atomic, for a neighbour may write the rest.
 */
export interface WordArray {
  readonly name: string;
  readonly scalar: "f32" | "i32" | "u32";
  /** Words of one array element. */
  readonly unit: 1 | 2 | 4;
  readonly atomic: boolean;
  /** Array elements; undefined for a tensor, whose size is known at launch. */
  readonly length: number | undefined;
}

export interface StoragePlan {
  readonly tensors: ReadonlyMap<string, WordArray>;
  /** Shared buffers whose bytes overlap lie in one array. */
  readonly regions: readonly WordArray[];
  readonly buffers: ReadonlyMap<string, { readonly region: number; readonly byteOffset: number }>;
}

/** How one memory is accessed, over all statements. */
interface Usage {
  unit: 1 | 2 | 4;
  atomic: boolean;
}

interface Access {
  readonly memory: string;
  readonly width: number;
  readonly kind: "load" | "store" | "atomic";
}

function accessesOf(stmt: Stmt): readonly Access[] {
  switch (stmt.kind) {
    case "load_global":
      return [{ memory: `tensor:${stmt.tensor}`, width: stmt.width, kind: "load" }];
    case "store_global":
      return [{ memory: `tensor:${stmt.tensor}`, width: stmt.width, kind: "store" }];
    case "atomic_global":
      return [{ memory: `tensor:${stmt.tensor}`, width: 1, kind: "atomic" }];
    case "load_shared":
      return [{ memory: `buffer:${stmt.buffer}`, width: stmt.width, kind: "load" }];
    case "store_shared":
      return [{ memory: `buffer:${stmt.buffer}`, width: stmt.width, kind: "store" }];
    case "copy_async":
      return [
        { memory: `tensor:${stmt.tensor}`, width: stmt.width, kind: "load" },
        { memory: `buffer:${stmt.buffer}`, width: stmt.width, kind: "store" },
      ];
    default:
      return [];
  }
}

function unitOf(words: number): 1 | 2 | 4 {
  if (words % 4 === 0) return 4;
  return words % 2 === 0 ? 2 : 1;
}

function merge(usage: Usage, access: Access, dtype: DType): void {
  const words = (access.width * DTYPES[dtype].bits) / 32;
  const isWhole = Number.isInteger(words);
  const unit = isWhole ? unitOf(words) : 1;
  if (unit < usage.unit) usage.unit = unit;
  if (access.kind === "atomic" || (access.kind === "store" && !isWhole)) {
    usage.atomic = true;
    usage.unit = 1;
  }
}

/** Usage of each memory that the body touches. */
function collectUsage(kernel: ThreadKernel): ReadonlyMap<string, Usage> {
  const dtypes = new Map<string, DType>();
  for (const param of kernel.params) dtypes.set(`tensor:${param.name}`, param.dtype);
  for (const shared of kernel.shared) dtypes.set(`buffer:${shared.name}`, shared.dtype);
  const usages = new Map<string, Usage>();
  walkStmts(kernel.body, (stmt) => {
    for (const access of accessesOf(stmt)) {
      const usage = usages.get(access.memory) ?? { unit: 4, atomic: false };
      usages.set(access.memory, usage);
      merge(usage, access, dtypes.get(access.memory) ?? "u32");
    }
  });
  return usages;
}

function scalarOf(dtype: DType): "f32" | "i32" | "u32" {
  return dtype === "f32" || dtype === "i32" ? dtype : "u32";
}

function tensorArray(name: string, dtype: DType, usage: Usage | undefined): WordArray {
  const { unit, atomic } = usage ?? { unit: 1, atomic: false };
  // WGSL has no atomic floats: their bits are exchanged as u32.
  const scalar = atomic && dtype === "f32" ? "u32" : scalarOf(dtype);
  return { name, scalar, unit, atomic, length: undefined };
}

function bytesOf(shared: ThreadShared): number {
  return Math.ceil((shared.elements * DTYPES[shared.dtype].bits) / 8);
}

/** Groups of buffers whose bytes overlap, each in order of address. */
function overlapping(shared: readonly ThreadShared[]): readonly (readonly ThreadShared[])[] {
  const sorted = [...shared].sort(
    (a, b) => a.byteOffset - b.byteOffset || (a.name < b.name ? -1 : 1),
  );
  const groups: ThreadShared[][] = [];
  let end = -1;
  for (const buffer of sorted) {
    if (buffer.byteOffset >= end) groups.push([]);
    groups.at(-1)?.push(buffer);
    end = Math.max(end, buffer.byteOffset + bytesOf(buffer));
  }
  return groups;
}

function regionArray(
  group: readonly ThreadShared[],
  start: number,
  usages: ReadonlyMap<string, Usage>,
): WordArray {
  const names = group.map((buffer) => buffer.name);
  const used = names.flatMap((name) => usages.get(`buffer:${name}`) ?? []);
  const atomic = used.some((usage) => usage.atomic);
  const alignments = group.map((buffer) => unitOf((buffer.byteOffset - start) / 4));
  const least = Math.min(4, ...used.map((usage) => usage.unit), ...alignments);
  const unit = atomic ? 1 : unitOf(least);
  const scalars = new Set(group.map((buffer) => scalarOf(buffer.dtype)));
  const [only] = scalars;
  const end = Math.max(...group.map((buffer) => buffer.byteOffset + bytesOf(buffer)));
  const scalar =
    scalars.size === 1 && only !== undefined && !(atomic && only === "f32") ? only : "u32";
  const name = names.length === 1 ? (names[0] ?? "shared") : `shared_${names.join("_")}`;
  return { name, scalar, unit, atomic, length: Math.ceil((end - start) / (4 * unit)) };
}

/** Decides the arrays of a kernel from its accesses. */
export function planStorage(kernel: ThreadKernel): StoragePlan {
  const usages = collectUsage(kernel);
  const tensors = new Map(
    kernel.params.flatMap((param) => {
      if (param.kind !== "tensor") return [];
      const array = tensorArray(param.name, param.dtype, usages.get(`tensor:${param.name}`));
      return [[param.name, array] as const];
    }),
  );
  const buffers = new Map<string, { readonly region: number; readonly byteOffset: number }>();
  const regions = overlapping(kernel.shared).map((group, region) => {
    const start = group[0]?.byteOffset ?? 0;
    for (const buffer of group) {
      buffers.set(buffer.name, { region, byteOffset: buffer.byteOffset - start });
    }
    return regionArray(group, start, usages);
  });
  return { tensors, regions, buffers };
}

/** `f32`, `vec4<u32>`, `atomic<i32>`: the type of one array element. */
export function elementType({ scalar, unit, atomic }: WordArray): string {
  if (atomic) return `atomic<${scalar}>`;
  return unit === 1 ? scalar : `vec${unit}<${scalar}>`;
}
