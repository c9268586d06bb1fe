/** [runtime] Kernels that were compiled ahead of time: reading what `tilewright build` wrote, and launching it without source or compiler. */
import {
  type Artifact,
  cudaCapability,
  formatOrder,
  type KernelManifest,
  type KernelVariant,
  MANIFEST_FORMAT,
  packBytes,
  sameOrder,
  type TargetSpec,
  type TensorOrder,
} from "../codegen/index.ts";
import {
  evaluateGrid,
  IS_NODE,
  type KernelDefinition,
  LaunchError,
  nodeModule,
  type ParamSpec,
  sha256,
} from "../dsl/index.ts";
import type { Loadable } from "./backend.ts";
import type { Device, KernelArgument, Stream, Tensor } from "./device.ts";
import { packedTensorFromBytes } from "./tensor.ts";

const { readFileSync } = nodeModule("node:fs");

/** A kernel compiled ahead of time. `A` names its arguments: `tilewright build` writes the type beside the manifest. */
export interface ExportedKernel<A = Readonly<Record<string, KernelArgument>>> {
  readonly manifest: KernelManifest;
  /** What a device takes for a kernel; its source is nowhere. */
  readonly definition: KernelDefinition;
  /** Loads the variant for the device, so that the launch does not. @throws LaunchError as `launch` */
  prepare(device: Device, args: A): Promise<void>;
  /**
   * A tensor for a packed parameter, brought into the order of the device's variant on the host: no compiler is asked.
   * @param bytes row-major storage bytes of the shape
   * @throws LaunchError TW3109 where no parameter has the name, TW3119
   */
  pack(device: Device, name: string, shape: readonly number[], bytes: Uint8Array): Tensor;
  /**
   * Checks the arguments and enqueues, as `device.launch` does.
   * @throws LaunchError TW3118 where sizes are not divisible as they were promised, TW3119 where no variant is for the device, TW3122 for a packed
   *   tensor in another order than was built
   */
  launch(device: Device, args: A, stream?: Stream): void;
}

interface Loaded {
  readonly variant: KernelVariant;
  readonly artifact: Artifact;
  readonly binary: Uint8Array | undefined;
}

/** By the definitions that were made here. */
const EXPORTED = new WeakMap<KernelDefinition, readonly Loaded[]>();

/**
 * Reads a manifest and the files beside it; in a browser those of WebGPU alone.
 * @param url of the manifest, on disk or on the network
 * @throws LaunchError TW3120 for another format, TW3121 for a file that is missing or not the one that was built
 */
export async function readExported<A>(url: URL): Promise<ExportedKernel<A>> {
  const manifest = parseManifest(url, await readFile(url));
  const usable = (manifest.variants ?? []).filter(
    ({ target }) => IS_NODE || target.target === "wgsl",
  );
  const names = usable.flatMap(({ text, binary }) => [text, binary].flatMap((f) => f?.file ?? []));
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(new URL(name, url))] as const),
  );
  return exportedKernel({ ...manifest, variants: usable }, new Map(files));
}

function parseManifest(url: URL, bytes: Uint8Array): KernelManifest {
  let seen = "JSON that is no object";
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof parsed === "object" && parsed !== null) return parsed as KernelManifest;
  } catch (cause) {
    seen = cause instanceof Error ? cause.message : String(cause);
  }
  throw damaged(url.href, seen);
}

async function readFile(url: URL): Promise<Uint8Array> {
  try {
    if (url.protocol === "file:") return readFileSync(url);
    const response = await fetch(url);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    throw new Error(`${response.status} ${response.statusText}`);
  } catch (cause) {
    throw damaged(url.href, cause instanceof Error ? cause.message : String(cause));
  }
}

/**
 * A kernel from a manifest that is there already.
 * @param files contents by the names in the manifest
 * @throws LaunchError TW3120, TW3121
 */
export function exportedKernel<A>(
  manifest: KernelManifest,
  files: ReadonlyMap<string, Uint8Array>,
): ExportedKernel<A> {
  requireFormat(manifest);
  const loaded = manifest.variants.map((variant) => load(manifest.kernel, variant, files));
  const definition = definitionOf(manifest);
  EXPORTED.set(definition, loaded);
  const record = (args: A) => args as Readonly<Record<string, KernelArgument>>;
  return Object.freeze({
    manifest,
    definition,
    pack: (device: Device, name: string, shape: readonly number[], bytes: Uint8Array) =>
      packed(manifest, loaded, device, { name, shape, bytes }),
    prepare: (device: Device, args: A) => device.prepare(definition, record(args)),
    launch: (device: Device, args: A, stream?: Stream) =>
      device.launch(definition, record(args), stream === undefined ? undefined : { stream }),
  });
}

function packed(
  { kernel, params }: KernelManifest,
  loaded: readonly Loaded[],
  device: Device,
  { name, shape, bytes }: { name: string; shape: readonly number[]; bytes: Uint8Array },
): Tensor {
  const param = params.find((one) => one.name === name);
  if (param?.kind !== "tensor")
    throw new LaunchError({
      code: "TW3109",
      message: `${kernel} has no tensor '${name}'`,
      seen: name,
      expected: params.map((one) => one.name).join(", "),
      remedy: "name a tensor of the kernel",
    });
  const order = orderOf(bestOf(kernel, loaded, device.target).variant, name);
  const { dtype } = param;
  const stored = packBytes(order, dtype, shape, bytes);
  return packedTensorFromBytes(device, dtype, shape, stored, order);
}

function orderOf({ params }: KernelVariant, name: string): TensorOrder {
  const param = params.find((one) => one.kind === "tensor" && one.name === name);
  return (param?.kind === "tensor" && param.order) || "rows";
}

function load(
  kernel: string,
  variant: KernelVariant,
  files: ReadonlyMap<string, Uint8Array>,
): Loaded {
  const bytes = ({ file, sha256: wanted }: KernelVariant["text"]): Uint8Array => {
    const data = files.get(file);
    if (data === undefined) throw damaged(file, "no such file");
    if (sha256(data) !== wanted) throw damaged(file, "other contents than were built");
    return data;
  };
  const { grid: _grid, text, binary, ...facts } = variant;
  const artifact = { ...facts, kernel, text: new TextDecoder().decode(bytes(text)), remarks: [] };
  return { variant, artifact, binary: binary === undefined ? undefined : bytes(binary) };
}

function definitionOf({ kernel, params, variants }: KernelManifest): KernelDefinition {
  const specs = params.map((param): readonly [string, ParamSpec] => [param.name, param]);
  return Object.freeze({
    kind: "kernel",
    name: kernel,
    params: Object.freeze(Object.fromEntries(specs)),
    dtypes: {},
    config: {},
    tune: {},
    specialize: [],
    // The plan hands back the config of the variant that it loaded; before that any will do: all are empty for the same dims.
    grid: (dims, config) => {
      const same = variants.find((variant) => sameConfig(variant.config, config));
      return (same ?? variants[0])?.grid.map((axis) => evaluateGrid(axis, dims)) ?? [];
    },
    body: () => undefined,
    site: Object.freeze({ stack: "" }),
  } satisfies KernelDefinition);
}

function sameConfig(a: KernelVariant["config"], b: KernelVariant["config"]): boolean {
  return Object.keys(a).every((key) => a[key] === b[key]);
}

export function isExported(kernel: KernelDefinition): boolean {
  return EXPORTED.has(kernel);
}

/**
 * What a device loads for an exported kernel; undefined for every other kernel.
 * @param divisibility of the launch's dims
 * @param orders of the packed tensors that are given; of those that are not, none is asked
 * @throws LaunchError TW3118, TW3119, TW3122
 */
export function exportedLoadable(
  kernel: KernelDefinition,
  target: TargetSpec | undefined,
  divisibility: Readonly<Record<string, number>>,
  orders: Readonly<Record<string, TensorOrder>>,
): Loadable | undefined {
  const all = EXPORTED.get(kernel);
  if (all === undefined) return undefined;
  const best = bestOf(kernel.name, all, target);
  requireDivisible(kernel.name, best.variant, divisibility);
  requireOrders(kernel.name, best.variant, orders);
  const { artifact, binary } = best;
  return { kind: "text", artifact, ...(binary === undefined ? {} : { binary }) };
}

function bestOf(kernel: string, all: readonly Loaded[], target: TargetSpec | undefined): Loaded {
  const fitting = all.filter(({ variant, binary }) => runsOn(variant, binary, target));
  const best = fitting.sort((a, b) => rankOf(b.variant) - rankOf(a.variant))[0];
  if (best === undefined) throw noVariant(kernel, all, target);
  return best;
}

/** A cubin runs on its own architecture and, without the suffix of a feature set, on later ones of its generation; text on all later ones. */
function runsOn(
  { target: built, threads, sharedBytes }: KernelVariant,
  binary: Uint8Array | undefined,
  target: TargetSpec | undefined,
): boolean {
  if (target === undefined || built.target !== target.target) return false;
  if (threads > target.maxThreads || sharedBytes > target.maxSharedBytes) return false;
  if (built.arch === target.arch)
    return built.features.every((feature) => target.features.includes(feature));
  if (built.target !== "cuda" || /[af]$/.test(built.arch ?? "")) return false;
  const [from, to] = [cudaCapability(built.arch ?? ""), cudaCapability(target.arch ?? "")];
  return from <= to && (binary === undefined || Math.floor(from / 10) === Math.floor(to / 10));
}

function rankOf({ target: { target, arch = "", features } }: KernelVariant): number {
  return (target === "cuda" ? 100 * cudaCapability(arch) : 0) + features.length;
}

function requireDivisible(
  kernel: string,
  { divisibility: promised }: KernelVariant,
  seen: Readonly<Record<string, number>>,
): void {
  const broken = Object.entries(promised).filter(([dim, by]) => (seen[dim] ?? 1) < by);
  if (broken.length === 0) return;
  throw new LaunchError({
    code: "TW3118",
    message: `${kernel}: sizes are not divisible as they were promised when the kernel was built`,
    seen: broken.map(([dim]) => `${dim} divisible by ${seen[dim] ?? 1}`).join(", "),
    expected: broken.map(([dim, by]) => `${dim} divisible by ${by}`).join(", "),
    remedy: "pad the tensors, or build the kernel without --divisible for these dims",
  });
}

function requireOrders(
  kernel: string,
  variant: KernelVariant,
  orders: Readonly<Record<string, TensorOrder>>,
): void {
  const wrong = Object.entries(orders).filter(
    ([name, order]) => !sameOrder(order, orderOf(variant, name)),
  );
  if (wrong.length === 0) return;
  const text = (order: TensorOrder): string => (order === "rows" ? order : formatOrder(order));
  throw new LaunchError({
    code: "TW3122",
    message: `${kernel}: a packed tensor lies in another order than the kernel was built for`,
    seen: wrong.map(([name, order]) => `${name} in ${text(order)}`).join(", "),
    expected: wrong.map(([name]) => `${name} in ${text(orderOf(variant, name))}`).join(", "),
    remedy: "make the tensor by `pack` of the exported kernel, or by packArguments",
  });
}

function noVariant(
  kernel: string,
  all: readonly Loaded[],
  target: TargetSpec | undefined,
): LaunchError {
  return new LaunchError({
    code: "TW3119",
    message: `${kernel} was not built for this device`,
    seen:
      target === undefined
        ? "a device that runs tile IR alone"
        : `${nameOf(target)} with ${target.maxSharedBytes} bytes of shared memory (${target.features.join(", ")})`,
    expected: all.map(({ variant }) => nameOf(variant.target)).join(", ") || "any variant",
    remedy: "build the kernel again with --target for it, or open another device",
  });
}

function nameOf({ target, arch }: TargetSpec): string {
  return arch === undefined ? target : `${target}:${arch}`;
}

function requireFormat({ format, kernel }: KernelManifest): void {
  if (format === MANIFEST_FORMAT && typeof kernel === "string") return;
  throw new LaunchError({
    code: "TW3120",
    message: "the manifest of an exported kernel has a format that is not known",
    seen: `format ${String(format)}`,
    expected: `format ${MANIFEST_FORMAT}`,
    remedy: "build the kernel again with this version of tilewright",
  });
}

function damaged(file: string, seen: string): LaunchError {
  return new LaunchError({
    code: "TW3121",
    message: "a file of an exported kernel cannot be used",
    seen: `${file}: ${seen}`,
    expected: "the files that the manifest names, as they were built",
    remedy: "build the kernel again, and keep its files together",
  });
}
