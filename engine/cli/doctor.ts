/** [engine/cli] `tilewright doctor`: which drivers open here, with versions and features, and what the others lack. */
import type { Command } from "commander";
import { type DriverReport, inspectDrivers } from "../../runtime/index.ts";
import { packageVersion } from "../version.ts";

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("say which drivers open on this machine, and why the others do not")
    .option("--json", "print JSON")
    .action(run);
}

async function run(flags: { readonly json?: boolean }): Promise<void> {
  const drivers = await inspectDrivers();
  const machine = {
    tilewright: packageVersion(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ ...machine, drivers }, undefined, 2)}\n`);
    return;
  }
  process.stdout.write(
    `tilewright ${machine.tilewright}, Node ${machine.node}, ${machine.platform}\n\n${drivers.map(describe).join("\n")}`,
  );
}

function describe({ name, summary, info, why, remedy }: DriverReport): string {
  const head = `${info === undefined ? "no " : "yes"} ${name.padEnd(12)} ${summary}\n`;
  if (info === undefined)
    return `${head}      why:    ${why}\n${remedy === undefined ? "" : `      remedy: ${remedy}\n`}`;
  const versions = Object.entries(info.versions).map(([part, version]) => `${part} ${version}`);
  const lines = [`      device:   ${info.name}${info.hardware ? "" : " (software)"}`];
  if (versions.length > 0) lines.push(`      versions: ${versions.join(", ")}`);
  if (info.features.length > 0) lines.push(`      features: ${info.features.join(", ")}`);
  return `${head}${lines.join("\n")}\n`;
}
