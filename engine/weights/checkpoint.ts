/** [engine/weights] The tensors of a model folder, single file or sharded, read by name; knows what was asked for and what was not. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  type Diagnostic,
  type DType,
  decodeArray,
  encodeArray,
  ModelError,
} from "../../dsl/index.ts";
import { describeMisfit } from "../misfit.ts";
import { SafetensorsFile, type StoredTensor } from "./safetensors.ts";
import { swapLastDims, transposeTensor } from "./transpose.ts";

/** A weight on the host, in storage bytes. */
export interface HostTensor {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** A tensor whose storage bytes come in several pieces, in order. */
export interface HostParts {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly parts: readonly Uint8Array[];
}

/**
 * Buffers that old exporters wrote beside the weights and that every loader recomputes, and scales of 8-bit caches and attention, of
 * which layers read those of keys and values.
 */
const IGNORED =
  /\.rotary_emb\.inv_freq$|\.masked_bias$|\.attn\.bias$|\.(?:q|k|v|kv|prob|output)_scale$/;

/** Where the tensors of a checkpoint differ from what layers ask for. */
export interface CheckpointLayout {
  /** Start of names that a checkpoint may leave out. */
  readonly optionalPrefix?: string;
  /** Names of tensors whose last two dims are swapped in the file: `[inputs, outputs]`. */
  readonly transposed?: RegExp;
  /** Names of tensors that serve something else than generation. */
  readonly ignored?: RegExp;
}

export class Checkpoint {
  readonly folder: string;
  readonly #layout: CheckpointLayout;
  readonly #files: readonly SafetensorsFile[];
  readonly #where = new Map<
    string,
    { readonly file: SafetensorsFile; readonly tensor: StoredTensor }
  >();
  readonly #used = new Set<string>();
  readonly #problems: Diagnostic[] = [];

  /** @throws ModelError TW4203 without weights, TW4204 for an index that does not fit its files */
  constructor(folder: string, layout: CheckpointLayout = {}, files = openFiles(folder)) {
    this.folder = folder;
    this.#layout = layout;
    this.#files = files;
    for (const file of this.#files) {
      for (const tensor of file.tensors.values()) {
        if (this.#where.has(tensor.name)) {
          throw new ModelError({
            code: "TW4204",
            message: `tensor '${tensor.name}' is in two weight files`,
            seen: file.path,
            expected: "one file for each tensor",
            remedy: "remove the stale file from the model folder",
          });
        }
        this.#where.set(tensor.name, { file, tensor });
      }
    }
  }

  /** A checkpoint without tensors. */
  static empty(): Checkpoint {
    return new Checkpoint("", {}, []);
  }

  get names(): readonly string[] {
    return [...this.#where.keys()];
  }

  /** Bytes of all tensors as stored. */
  get totalBytes(): number {
    let total = 0;
    for (const { tensor } of this.#where.values()) total += tensor.end - tensor.start;
    return total;
  }

  /** Dtype of the first tensor of floats; undefined where there is none. */
  get floatDtype(): DType | undefined {
    const floats: readonly (DType | undefined)[] = ["f32", "f16", "bf16"];
    for (const { tensor } of this.#where.values())
      if (floats.includes(tensor.dtype)) return tensor.dtype;
    return undefined;
  }

  has(name: string): boolean {
    return this.#where.has(this.#storedName(name));
  }

  /** Name in the files of what a layer calls `name`. */
  #storedName(name: string): string {
    const { optionalPrefix: prefix } = this.#layout;
    if (prefix === undefined || !name.startsWith(prefix) || this.#where.has(name)) return name;
    const bare = name.slice(prefix.length);
    return this.#where.has(bare) ? bare : name;
  }

  /**
   * A tensor converted to `dtype`. What is missing or misshapen is remembered for `finish` and gives undefined.
   * @param shape expected sizes
   */
  read(name: string, shape: readonly number[], dtype: DType): HostTensor | undefined {
    const storedName = this.#storedName(name);
    this.#used.add(storedName);
    const found = this.#where.get(storedName);
    const isTransposed = this.#layout.transposed?.test(name) ?? false;
    const storedShape = isTransposed ? swapLastDims(shape) : shape;
    if (
      found === undefined ||
      found.tensor.dtype === undefined ||
      found.tensor.shape.join() !== storedShape.join()
    ) {
      const wanted = `a float tensor [${storedShape.join(", ")}]`;
      this.#problems.push(describeProblem(name, wanted, found?.tensor));
      return undefined;
    }
    const stored: HostTensor = {
      dtype: found.tensor.dtype,
      shape: storedShape,
      bytes: found.file.read(found.tensor),
    };
    return convertTensor(isTransposed ? transposeTensor(stored) : stored, dtype);
  }

  /** Dtype and shape of a tensor as it is stored; undefined where there is none of that name. */
  find(name: string): Pick<StoredTensor, "dtype" | "shape"> | undefined {
    return this.#where.get(this.#storedName(name))?.tensor;
  }

  /**
   * A tensor as it is stored, of one of these dtypes and shapes. What is missing or misshapen is remembered for `finish` and gives
   * undefined.
   */
  stored(
    name: string,
    dtypes: readonly DType[],
    shapes: readonly (readonly number[])[],
  ): HostTensor | undefined {
    const storedName = this.#storedName(name);
    this.#used.add(storedName);
    const found = this.#where.get(storedName);
    const dtype = found?.tensor.dtype;
    const shape = shapes.find((one) => one.join() === found?.tensor.shape.join());
    if (
      found === undefined ||
      dtype === undefined ||
      !dtypes.includes(dtype) ||
      shape === undefined
    ) {
      const wanted = `${dtypes.join(" or ")}[${shapes.map((one) => one.join(", ")).join("] or [")}]`;
      this.#problems.push(describeProblem(name, wanted, found?.tensor));
      return undefined;
    }
    return { dtype, shape, bytes: found.file.read(found.tensor) };
  }

  /** Marks a tensor as known though it is not read, for example a head that is tied to the embedding. */
  skip(name: string): void {
    this.#used.add(this.#storedName(name));
  }

  /** @throws ModelError TW4205 with every missing, misshapen and unexpected tensor */
  finish(): void {
    const unexpected = this.names.filter((name) => !this.#used.has(name) && !this.#isIgnored(name));
    const problems = [...this.#problems];
    if (unexpected.length > 0) {
      problems.push({
        code: "TW4205",
        message: `${unexpected.length} tensors of the checkpoint are not of this architecture`,
        seen: unexpected.slice(0, 8).join(", ") + (unexpected.length > 8 ? ", …" : ""),
        expected: "only tensors that the model uses",
        remedy: "check that config.json names the right architecture",
      });
    }
    if (problems.length > 0) throw new ModelError(problems);
  }

  #isIgnored(name: string): boolean {
    return IGNORED.test(name) || (this.#layout.ignored?.test(name) ?? false);
  }

  close(): void {
    for (const file of this.#files) file.close();
  }
}

/** The same values in another dtype, rounded to nearest even. */
export function convertTensor(tensor: HostTensor, dtype: DType): HostTensor {
  if (tensor.dtype === dtype) return tensor;
  const count = tensor.shape.reduce((n, size) => n * size, 1);
  return {
    dtype,
    shape: tensor.shape,
    bytes: encodeArray(dtype, decodeArray(tensor.dtype, tensor.bytes, count)),
  };
}

/** Tensors stacked along their first dim; the others must agree. */
export function concatRows(tensors: readonly HostTensor[]): HostTensor {
  const [first] = tensors;
  if (first === undefined) throw new RangeError("concatRows needs a tensor");
  const rows = tensors.reduce((n, tensor) => n + (tensor.shape[0] ?? 0), 0);
  return {
    dtype: first.dtype,
    shape: [rows, ...first.shape.slice(1)],
    bytes: Buffer.concat(tensors.map((tensor) => tensor.bytes)),
  };
}

function describeProblem(
  name: string,
  expected: string,
  seen: StoredTensor | undefined,
): Diagnostic {
  return {
    code: "TW4205",
    message:
      seen === undefined
        ? `tensor '${name}' is missing`
        : `tensor '${name}' is not what the model needs`,
    seen:
      seen === undefined ? "nothing of that name" : `${seen.storedDtype}[${seen.shape.join(", ")}]`,
    expected,
    remedy: "check that the checkpoint is complete and that config.json belongs to it",
  };
}

function openFiles(folder: string): SafetensorsFile[] {
  const indexPath = join(folder, "model.safetensors.index.json");
  const single = join(folder, "model.safetensors");
  if (!existsSync(indexPath)) {
    if (existsSync(single)) return [new SafetensorsFile(single)];
    throw new ModelError({
      code: "TW4203",
      message: "the model folder holds no weights",
      seen: folder,
      expected: "model.safetensors or model.safetensors.index.json",
      remedy: "download the safetensors files of the model",
    });
  }
  const map = readWeightMap(indexPath);
  const files = [...new Set(Object.values(map))]
    .sort()
    .map((name) => new SafetensorsFile(join(folder, name)));
  const stored = new Set(files.flatMap((file) => [...file.tensors.keys()]));
  const missing = Object.keys(map).filter((name) => !stored.has(name));
  if (missing.length > 0) {
    throw new ModelError({
      code: "TW4204",
      message: "the index names tensors that its files do not hold",
      seen: missing.slice(0, 8).join(", "),
      expected: "every tensor of weight_map in its file",
      remedy: "download the shards again",
    });
  }
  return files;
}

/** Tensor name → name of its file. A file of another folder is none. */
const indexSchema = z.object({
  weight_map: z.record(z.string(), z.string().regex(/^[^/\\]+\.safetensors$/)),
});

function readWeightMap(path: string): Readonly<Record<string, string>> {
  let seen: string;
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const parsed = indexSchema.safeParse(value);
    if (parsed.success) return parsed.data.weight_map;
    const [issue] = parsed.error.issues;
    const misfit = issue === undefined ? undefined : describeMisfit(issue, value);
    seen = misfit === undefined ? "another shape" : `${misfit.field || "it"} is ${misfit.seen}`;
  } catch (cause) {
    seen = cause instanceof Error ? cause.message : String(cause);
  }
  throw new ModelError({
    code: "TW4204",
    message: "the index of the weight files is malformed",
    seen,
    expected: "a JSON object whose weight_map names a .safetensors file for each tensor",
    remedy: "download model.safetensors.index.json again",
  });
}
