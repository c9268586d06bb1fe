/** [runtime/drivers] Finds the HIP runtime and hiprtc among the places where ROCm and Linux packages put them. Loads nothing. */
import { nodeModule, readFlag } from "../../../dsl/index.ts";
import { locateIn, namedFolders } from "../native/locate.ts";

const { existsSync, readdirSync } = nodeModule("node:fs");
const { join } = nodeModule("node:path");

const HIP_FILE = /^libamdhip64\.so\.\d+$/;
const HIPRTC_FILE = /^libhiprtc\.so\.\d+$/;
/** What libamdhip64 and hiprtc look up by name, those that others need first. */
const COMPANIONS = [
  /^libhsakmt\.so\.\d+$/,
  /^libhsa-runtime64\.so\.\d+$/,
  /^libamd_comgr\.so\.\d+$/,
  /^libhiprtc-builtins\.so\.\d+$/,
] as const;

/** Folders that may hold libamdhip64, in order of trust: the flag, LD_LIBRARY_PATH, ROCm, the system. */
export function hipFolders(): readonly string[] {
  const versions = existsSync("/opt")
    ? readdirSync("/opt")
        .filter((name) => name.startsWith("rocm-"))
        .sort()
        .reverse()
    : [];
  return [
    ...namedFolders(readFlag("hip")),
    ...["rocm", ...versions].map((name) => join("/opt", name, "lib")),
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib64",
  ];
}

export interface HipPaths {
  readonly hip: string;
  /** libhiprtc, or libamdhip64 where hiprtc is a part of it. */
  readonly hiprtc: string;
  /** Libraries beside it that must be loaded before, so that the folder need not be on the loader's path. */
  readonly before: readonly string[];
}

/** Where the newest HIP runtime of the first folder with one lies, or undefined. */
export function locateHip(folders: readonly string[] = hipFolders()): HipPaths | undefined {
  const hip = locateIn(folders, HIP_FILE);
  if (hip === undefined) return undefined;
  const folder = join(hip, "..");
  const before = COMPANIONS.flatMap((file) => locateIn([folder], file) ?? []);
  return { hip, hiprtc: locateIn([folder], HIPRTC_FILE) ?? hip, before };
}
