/** [codegen] What an exported kernel is on disk: a manifest beside its texts and binaries. No files are read or written here. */
import {
  type DType,
  type GridExpression,
  type KernelDefinition,
  lowerGrid,
  sha256,
} from "../dsl/index.ts";
import type { Artifact } from "./artifact.ts";

/** Raised when a manifest of before can no longer be read. */
export const MANIFEST_FORMAT = 1;

/** A file beside the manifest. */
export interface ManifestFile {
  /** Name, without folders. */
  readonly file: string;
  readonly sha256: string;
}

/** The kernel for one target: its artifact without the text, the files that hold it, and the grid. */
export interface KernelVariant extends Omit<Artifact, "kernel" | "text" | "remarks"> {
  /** Source of the target. */
  readonly text: ManifestFile;
  /** cuda: the cubin for `target.arch`; hip: the code object. */
  readonly binary?: ManifestFile;
  /** Programs along x, y, z, from the dims that a launch binds. */
  readonly grid: readonly GridExpression[];
}

/** What a launch is given, in the order of the definition. Dims that are compile-time are sizes. */
export type ManifestParam =
  | {
      readonly kind: "tensor";
      readonly name: string;
      readonly dtype: DType;
      readonly shape: readonly (string | number)[];
      readonly access: "in" | "out" | "inout";
      /** Of which a variant may want another order in memory: its own `params` say which. */
      readonly packed?: true;
    }
  | { readonly kind: "scalar"; readonly name: string; readonly dtype: DType };

export interface KernelManifest {
  readonly format: typeof MANIFEST_FORMAT;
  /** Version of the package that wrote it. */
  readonly tilewright: string;
  readonly kernel: string;
  readonly params: readonly ManifestParam[];
  readonly variants: readonly KernelVariant[];
}

export interface ExportFiles {
  readonly text: string;
  readonly binary?: { readonly file: string; readonly data: Uint8Array };
}

/**
 * @param files names for the text and the binary, and the binary itself
 * @throws KernelSourceError TW1026 where the grid is no data
 */
export function describeVariant(
  kernel: KernelDefinition,
  artifact: Artifact,
  { text: file, binary }: ExportFiles,
): KernelVariant {
  const { kernel: _name, text, remarks: _remarks, ...facts } = artifact;
  const { dtypes, config, fixedDims: dims } = artifact;
  return {
    ...facts,
    text: { file, sha256: sha256(text) },
    ...(binary === undefined ? {} : { binary: { file: binary.file, sha256: sha256(binary.data) } }),
    grid: lowerGrid(kernel, { dtypes, config, dims }),
  };
}

/** The manifest of a kernel; every variant is of the same dtypes and compile-time dims. */
export function describeExport(
  kernel: KernelDefinition,
  variants: readonly KernelVariant[],
  version: string,
): KernelManifest {
  const slots = variants[0]?.params ?? [];
  const isPacked = (name: string): boolean => {
    const param = kernel.params[name];
    return param?.kind === "tensor" && param.packed === true;
  };
  const params = Object.keys(kernel.params).flatMap((name): ManifestParam[] => {
    const slot = slots.find((param) => "name" in param && param.name === name);
    if (slot?.kind === "scalar") return [{ kind: "scalar", name, dtype: slot.dtype }];
    if (slot?.kind !== "tensor") return [];
    const { dtype, shape, access } = slot;
    return [
      { kind: "tensor", name, dtype, shape, access, ...(isPacked(name) && { packed: true }) },
    ];
  });
  return { format: MANIFEST_FORMAT, tilewright: version, kernel: kernel.name, params, variants };
}
