/** [runtime/autotune] Winners of a device as the source of a tuned table, to be committed under tuned/. Writes no file. */
import { type KernelDefinition, lowerKernel } from "../../dsl/index.ts";
import type { Device } from "../device.ts";
import { deviceName, kernelHash } from "./identity.ts";
import { type StoredWinner, TuningStore } from "./records.ts";
import type { TunableDevice } from "./tunable.ts";

const WIDTH = 100;

/**
 * TypeScript of a table with every winner that the store has for these kernels on the device, one exact size an entry; launches of
 * near sizes take the nearest.
 * @param kernels each with a specialisation under which its source can be read: a dtype for every variable, a size for specialised dims
 */
export function tunedTableSource(
  device: Device,
  kernels: readonly {
    readonly kernel: KernelDefinition;
    readonly specialization: Parameters<typeof lowerKernel>[1];
  }[],
  store: TuningStore = (device as Partial<TunableDevice>).tuning ?? TuningStore.open(),
): string {
  const { info } = device;
  const seen = new Set<string>();
  const tables = kernels.flatMap(({ kernel, specialization }): string[] => {
    if (seen.has(kernel.name)) return [];
    seen.add(kernel.name);
    const hash = kernelHash(kernel, lowerKernel(kernel, specialization));
    const winners = store.winners({ kernel: kernel.name, hash, device: deviceName(info) });
    if (winners.length === 0) return [];
    return [`  ${kernel.name}: [\n${winners.map(entryText).join("")}  ],\n`];
  });
  const constant = info.name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  const versions = Object.entries(info.versions).map(([name, version]) => `${name} ${version}`);
  return [
    `/** [runtime/autotune/tuned] Winners of \`tilewright tune\` on ${info.name}: one measured size an entry. */\n`,
    'import type { TunedTable } from "../store.ts";\n\n',
    `/** @source tilewright tune --export, ${info.driver} (${versions.join(", ") || "no versions"}) */\n`,
    `export const ${/^\d/.test(constant) ? "_" : ""}${constant || "DEVICE"}: TunedTable = {\n${tables.sort().join("")}};\n`,
  ].join("");
}

function entryText({ dims, dtypes, config }: StoredWinner): string {
  const fields = [
    ...(Object.keys(dtypes).length === 0
      ? []
      : [`dtypes: { ${pairs(dtypes, (dtype) => `["${dtype}"]`)} }`]),
    `dims: { ${pairs(dims, (size) => `[${size}, ${size}]`)} }`,
    `config: { ${pairs(config, String)} }`,
  ];
  const line = `    { ${fields.join(", ")} },\n`;
  if (line.length <= WIDTH + 1) return line;
  return `    {\n${fields.map((field) => `      ${field},\n`).join("")}    },\n`;
}

function pairs<T>(record: Readonly<Record<string, T>>, show: (value: T) => string): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}: ${show(value)}`)
    .join(", ");
}
