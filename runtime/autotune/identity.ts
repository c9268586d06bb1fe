/** [runtime/autotune] What a tuning result is tied to: the content of a kernel but not its lists of values, and the kind of device. */
import { CODEGEN_VERSION } from "../../codegen/index.ts";
import {
  type Dependency,
  type KernelDefinition,
  type LoweredKernel,
  lowerKernel,
  type Specialization,
  sha256,
  stableJson,
} from "../../dsl/index.ts";
import type { DeviceInfo } from "../device.ts";
import type { TuningStore } from "./records.ts";

/** Where a kernel's text is found without a parser: by file contents. */
export interface SourceIdentity {
  /** Content and place of the definition; undefined where it has no file. */
  identify(kernel: KernelDefinition): unknown;
  /** sha256 of a file as this process first read it; undefined where it cannot be read. */
  hashOfFile(file: string): string | undefined;
}

interface Alias {
  readonly hash: string;
  readonly dependencies: readonly Dependency[];
}

/** `cuda-nvidia-h200`: driver and name, fit for file names. */
export function deviceName({ driver, name }: Pick<DeviceInfo, "driver" | "name">): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${driver}-${slug.slice(0, 60)}`;
}

/** Versions that change times: of the compiler and of what the driver names. */
export function measuredWith({ versions }: Pick<DeviceInfo, "versions">): string {
  const parts = Object.keys(versions)
    .sort()
    .map((name) => `${name} ${versions[name]}`);
  return [`codegen ${CODEGEN_VERSION}`, ...parts].join(", ");
}

/**
 * Hash of what a kernel computes: its program without places in files, and its parameters. Neither `tune`, `when`, the default config
 * nor comments are part of it, so that a wider space leaves what was measured before valid.
 */
export function kernelHash(kernel: KernelDefinition, { hir }: Pick<LoweredKernel, "hir">): string {
  const params = Object.entries(kernel.params).map(([name, spec]) => [
    name,
    spec.kind === "function" ? { kind: "function" } : spec,
  ]);
  const { name, specialize } = kernel;
  return sha256(stableJson({ name, specialize, params, hir: withoutPlaces(hir) }));
}

/** Names of files, and spans of four numbers; a capture may have the same name. */
function isPlace(key: string, value: unknown): boolean {
  return (key === "file" && typeof value === "string") || (key === "span" && Array.isArray(value));
}

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      isPlace(key, inner) ? [] : [[key, withoutPlaces(inner)]],
    ),
  );
}

/** Remembers under a kernel's file and place what its hash is, so that a launch needs no parser to find its results. */
export function rememberHash(
  store: TuningStore,
  sources: SourceIdentity,
  kernel: KernelDefinition,
  lowered: Pick<LoweredKernel, "hir" | "dependencies">,
): string {
  const hash = kernelHash(kernel, lowered);
  const name = aliasName(sources, kernel);
  const alias: Alias = { hash, dependencies: lowered.dependencies };
  if (name !== undefined) store.putNote(name, JSON.stringify(alias));
  return hash;
}

/**
 * The hash of a kernel for a launch: remembered, or, where its file changed since, from its source. Undefined where the store knows no
 * such kernel (then nothing is parsed) or the source is wrong (the compiler says so better).
 */
export function findHash(
  store: TuningStore,
  sources: SourceIdentity,
  kernel: KernelDefinition,
  specialization: Specialization,
): string | undefined {
  if (!store.knows(kernel.name)) return undefined;
  const name = aliasName(sources, kernel);
  const known = name === undefined ? undefined : freshAlias(store.note(name), sources);
  if (known !== undefined) return known;
  try {
    return rememberHash(store, sources, kernel, lowerKernel(kernel, specialization));
  } catch {
    return undefined;
  }
}

function freshAlias(text: string | undefined, sources: SourceIdentity): string | undefined {
  if (text === undefined) return undefined;
  try {
    const { hash, dependencies } = JSON.parse(text) as Alias;
    const isFresh = dependencies.every(
      ({ file, sha256: seen }) => sources.hashOfFile(file) === seen,
    );
    return isFresh ? hash : undefined;
  } catch {
    return undefined;
  }
}

function aliasName(sources: SourceIdentity, kernel: KernelDefinition): string | undefined {
  const identity = sources.identify(kernel);
  if (identity === undefined) return undefined;
  return `${kernel.name}-${sha256(stableJson(identity)).slice(0, 16)}.source.json`;
}
