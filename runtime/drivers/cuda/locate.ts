/** [runtime/drivers] Finds CUDA's libraries among the places where the toolkit and PyPI wheels put them. Loads nothing. */
import { nodeModule, readFlag } from "../../../dsl/index.ts";
import { children, locateIn, namedFolders } from "../native/locate.ts";

const { existsSync } = nodeModule("node:fs");
const { delimiter, join } = nodeModule("node:path");

const NVRTC_FILE = /^libnvrtc\.so\.(\d+)(\.\d+)*$/;

/** Folders that may hold libnvrtc, in order of trust. */
export function nvrtcFolders(): readonly string[] {
  return libraryFolders(readFlag("nvrtc"), "cuda_nvrtc");
}

/**
 * Folders that may hold a library of CUDA, in order of trust: the flag, LD_LIBRARY_PATH, the CUDA toolkit, Python wheels, the system.
 * @param flag file or folder that the user names
 * @param wheel folder of the library's own wheel beneath `nvidia`, as CUDA 12 has them
 */
export function libraryFolders(flag: string | undefined, wheel: string): readonly string[] {
  const folders: string[] = [...namedFolders(flag)];
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
      join(site, "nvidia", wheel, "lib"),
    );
  }
  folders.push("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/aarch64-linux-gnu");
  return folders;
}

/** Path of the newest libnvrtc in the first folder that has one, or undefined. */
export function locateNvrtc(): string | undefined {
  return locateIn(nvrtcFolders(), NVRTC_FILE);
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
    ...pythonRoots(),
  ];
  const libs = roots.flatMap((root) =>
    root === undefined ? [] : children(join(root, "lib"), /^python3(\.\d+)?$/),
  );
  return libs.flatMap((lib) => [join(lib, "site-packages"), join(lib, "dist-packages")]);
}

/** Installations and environments whose python3 is on the search path. */
function pythonRoots(): string[] {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder.endsWith("bin") && existsSync(join(folder, "python3")))
    .map((folder) => join(folder, ".."));
}
