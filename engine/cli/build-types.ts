/** [engine/cli] The module and its types that stand beside an exported kernel's manifest. Text only. */
import type { KernelManifest, ManifestParam } from "../../codegen/index.ts";

/** `rms_norm` → `rmsNorm`. */
function camelCase(name: string): string {
  return name.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function headline({ kernel, tilewright: version }: KernelManifest): string {
  return `// ${kernel}, compiled ahead of time by tilewright ${version}. It imports the package: \`npm install tilewright\` where this runs.`;
}

/** JavaScript that reads the manifest beside it and exports the kernel. @param file name of the manifest, without its ending */
export function exportModule(file: string, manifest: KernelManifest): string {
  return [
    headline(manifest),
    `import { readExported } from "tilewright";`,
    "",
    `export const ${camelCase(file)} = await readExported(new URL("./${file}.json", import.meta.url));`,
    "",
  ].join("\n");
}

/** The types of that module: the arguments of a launch, with what each must be. */
export function exportTypes(file: string, manifest: KernelManifest): string {
  const { kernel, params, variants } = manifest;
  const name = camelCase(file);
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Arguments`;
  const targets = variants.map(({ target: { target, arch } }) =>
    [target, arch ?? []].flat().join(":"),
  );
  return [
    headline(manifest),
    `import type { ExportedKernel, Tensor } from "tilewright";`,
    "",
    `/** Arguments of ${kernel}. */`,
    `export interface ${type} {`,
    ...params.flatMap((param) => [
      `  /** ${describe(param)} */`,
      `  readonly ${param.name}: ${param.kind === "tensor" ? "Tensor" : "number"};`,
    ]),
    "}",
    "",
    `/** ${kernel}, compiled for ${targets.join(", ")}. */`,
    `export declare const ${name}: ExportedKernel<${type}>;`,
    "",
  ].join("\n");
}

function describe(param: ManifestParam): string {
  if (param.kind === "scalar") return `${param.dtype}.`;
  const access = { in: "read", out: "written", inout: "read and written" }[param.access];
  const order = param.packed === true ? "; in the order that `pack` gives" : "";
  return `${param.dtype}[${param.shape.join(", ")}], ${access}${order}.`;
}
