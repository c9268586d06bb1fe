/** [engine/weights] Reads one .safetensors file strictly: every byte of it is accounted for. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { type DType, ModelError, storageBytes } from "../../dsl/index.ts";

/** dtype names of the format → ours. @source the safetensors format description */
const DTYPE_OF: Readonly<Record<string, DType>> = {
  F32: "f32",
  F16: "f16",
  BF16: "bf16",
  F8_E4M3: "f8e4m3",
  F8_E5M2: "f8e5m2",
  I32: "i32",
  U32: "u32",
  I8: "i8",
  U8: "u8",
  BOOL: "bool",
};
const MAX_HEADER_BYTES = 100_000_000;

export interface StoredTensor {
  readonly name: string;
  /** As the file spells it; `dtype` is undefined for those that we cannot hold. */
  readonly storedDtype: string;
  readonly dtype: DType | undefined;
  readonly shape: readonly number[];
  /** Byte range in the file. */
  readonly start: number;
  readonly end: number;
}

export class SafetensorsFile {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly #descriptor: number;

  /** @throws ModelError TW4201 (unreadable), TW4202 (malformed header) */
  constructor(path: string) {
    this.path = path;
    this.#descriptor = openFile(path);
    try {
      const { tensors, metadata } = readHeader(this.#descriptor, basename(path));
      this.tensors = tensors;
      this.metadata = metadata;
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  /** Bytes of a tensor, or of the range [from, to) of them. */
  read(tensor: StoredTensor, from = 0, to = tensor.end - tensor.start): Uint8Array {
    const bytes = new Uint8Array(to - from);
    let done = 0;
    while (done < bytes.byteLength) {
      const n = readSync(
        this.#descriptor,
        bytes,
        done,
        Math.min(bytes.byteLength - done, 2 ** 30),
        tensor.start + from + done,
      );
      if (n === 0)
        throw malformed(
          basename(this.path),
          `tensor '${tensor.name}' ends early`,
          `${tensor.end - tensor.start} bytes`,
        );
      done += n;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function openFile(path: string): number {
  let seen: string;
  let reason: unknown;
  try {
    const descriptor = openSync(path, "r");
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
    seen = `${path} is no file`;
  } catch (cause) {
    seen = cause instanceof Error ? cause.message : String(cause);
    reason = cause;
  }
  throw new ModelError(
    {
      code: "TW4201",
      message: "a weight file cannot be read",
      seen,
      expected: "a readable .safetensors file",
      remedy: "check the model folder",
    },
    { cause: reason },
  );
}

function readHeader(descriptor: number, file: string) {
  const fileBytes = fstatSync(descriptor).size;
  const lengthBytes = Buffer.alloc(8);
  if (fileBytes < 8 || readSync(descriptor, lengthBytes, 0, 8, 0) < 8)
    throw malformed(file, `${fileBytes} bytes`, "at least the 8 bytes of the header's length");
  const headerBytes = Number(lengthBytes.readBigUInt64LE(0));
  if (headerBytes > MAX_HEADER_BYTES || 8 + headerBytes > fileBytes)
    throw malformed(
      file,
      `a header of ${headerBytes} bytes in a file of ${fileBytes}`,
      "a header inside the file",
    );
  const text = Buffer.alloc(headerBytes);
  readSync(descriptor, text, 0, headerBytes, 8);
  const header = parseJson(text.toString("utf8"), file);
  const metadata: Record<string, string> = {};
  const tensors: StoredTensor[] = [];
  for (const [name, value] of Object.entries(header)) {
    if (name === "__metadata__") Object.assign(metadata, value);
    else tensors.push(readEntry(name, value, 8 + headerBytes, file));
  }
  checkCover(tensors, 8 + headerBytes, fileBytes, file);
  return { tensors: new Map(tensors.map((tensor) => [tensor.name, tensor])), metadata };
}

function readEntry(name: string, value: unknown, base: number, file: string): StoredTensor {
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
  const isSize = (n: unknown): n is number =>
    typeof n === "number" && Number.isSafeInteger(n) && n >= 0;
  if (typeof dtype !== "string" || !Array.isArray(shape) || !shape.every(isSize))
    throw malformed(
      file,
      `entry '${name}': ${JSON.stringify(value)}`,
      "dtype, shape and data_offsets",
    );
  if (
    !Array.isArray(offsets) ||
    offsets.length !== 2 ||
    !offsets.every(isSize) ||
    (offsets[0] ?? 0) > (offsets[1] ?? 0)
  )
    throw malformed(
      file,
      `entry '${name}': data_offsets ${JSON.stringify(offsets)}`,
      "two ascending offsets",
    );
  const known = DTYPE_OF[dtype];
  const [start, end] = offsets as [number, number];
  const expected =
    known === undefined
      ? end - start
      : storageBytes(
          known,
          shape.reduce((n, size) => n * size, 1),
        );
  if (expected !== end - start)
    throw malformed(
      file,
      `entry '${name}': ${end - start} bytes`,
      `${expected} for ${dtype}[${shape.join(", ")}]`,
    );
  return { name, storedDtype: dtype, dtype: known, shape, start: base + start, end: base + end };
}

/** The format allows no holes and no overlaps. */
function checkCover(
  tensors: readonly StoredTensor[],
  base: number,
  fileBytes: number,
  file: string,
): void {
  let at = base;
  for (const tensor of [...tensors].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (tensor.start !== at)
      throw malformed(
        file,
        `tensor '${tensor.name}' starts at byte ${tensor.start}`,
        `byte ${at}: no holes, no overlaps`,
      );
    at = tensor.end;
  }
  if (at !== fileBytes)
    throw malformed(
      file,
      `a file of ${fileBytes} bytes`,
      `${at} bytes, where the last tensor ends`,
    );
}

function parseJson(text: string, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === "object" && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // reported below
  }
  throw malformed(
    file,
    `a header that starts with ${JSON.stringify(text.slice(0, 40))}`,
    "a JSON object",
  );
}

function malformed(file: string, seen: string, expected: string): ModelError {
  return new ModelError({
    code: "TW4202",
    message: `${file} is not a well-formed safetensors file`,
    seen,
    expected,
    remedy: "download the file again",
  });
}
