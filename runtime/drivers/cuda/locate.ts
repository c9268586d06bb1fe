/** [runtime/drivers] Finds NVRTC among the places where CUDA and its PyPI wheels put it. Loads nothing. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { readFlag } from "../../../dsl/index.ts";

const NVRTC_FILE = /^libnvrtc\.so\.(\d+)(\.\d+)*$/;

/** Folders that may hold libnvrtc, in order of trust: the flag, LD_LIBRARY_PATH, the CUDA toolkit, Python wheels, the system. */
export function nvrtcFolders(): readonly string[] {
  const folders: string[] = [];
  const flag = readFlag("nvrtc");
  if (flag !== undefined)
    folders.push(existsSync(flag) && statSync(flag).isDirectory() ? flag : join(flag, ".."));
  folders.push(
    ...(process.env["LD_LIBRARY_PATH"] ?? "").split(delimiter).filter((folder) => folder !== ""),
  );
  for (const toolkit of ["/usr/local/cuda", ...children("/usr/local", /^cuda-\d/)]) {
    folders.push(
      join(toolkit, "targets/x86_64-linux/lib"),
      join(toolkit, "targets/sbsa-linux/lib"),
      join(toolkit, "lib64"),
    );
  }
  for (const site of pythonSites()) {
    folders.push(
      ...children(join(site, "nvidia"), /^cu\d+$/).map((folder) => join(folder, "lib")),
      join(site, "nvidia/cuda_nvrtc/lib"),
    );
  }
  folders.push("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/aarch64-linux-gnu");
  return folders;
}

/** Path of the newest libnvrtc in the first folder that has one, or undefined. */
export function locateNvrtc(): string | undefined {
  for (const folder of nvrtcFolders()) {
    const files = children(folder, NVRTC_FILE);
    files.sort((a, b) => majorOf(b) - majorOf(a) || a.length - b.length);
    if (files[0] !== undefined) return files[0];
  }
  return undefined;
}

/** The builtins that NVRTC loads at its first compile; they must be loaded before it where its folder is not on the search path. */
export function locateBuiltins(nvrtcPath: string): string | undefined {
  return children(join(nvrtcPath, ".."), /^libnvrtc-builtins\.so\.\d+\.\d+$/)[0];
}

function pythonSites(): string[] {
  const roots = [
    process.env["VIRTUAL_ENV"],
    process.env["CONDA_PREFIX"],
    join(process.env["HOME"] ?? "/root", ".local"),
    "/usr/local",
    "/usr",
  ];
  const libs = roots.flatMap((root) =>
    root === undefined ? [] : children(join(root, "lib"), /^python3(\.\d+)?$/),
  );
  return libs.flatMap((lib) => [join(lib, "site-packages"), join(lib, "dist-packages")]);
}

function children(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => pattern.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function majorOf(path: string): number {
  return Number(/\.so\.(\d+)/.exec(path)?.[1] ?? 0);
}
