/** [engine/cli] `tilewright serve`: the HTTP server until SIGTERM or SIGINT. */
import type { Command } from "commander";
import { Engine } from "../engine.ts";
import { serveEngine } from "../server/http.ts";
import { addModelFlags, engineOptions, type ModelFlags, portNumber } from "./model-flags.ts";

interface ServeFlags extends ModelFlags {
  readonly host: string;
  readonly port: number;
  readonly servedModelName?: string;
}

export function addServe(program: Command): void {
  addModelFlags(
    program.command("serve").description("serve a model over HTTP (OpenAI completions API)"),
  )
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on; 0 picks a free one", portNumber, 8000)
    .option("--served-model-name <name>", "name of the model in the API")
    .action(run);
}

async function run(flags: ServeFlags): Promise<void> {
  const signals = listenForEnd();
  try {
    await serve(flags, signals.ended);
  } finally {
    signals.stop();
  }
}

async function serve(flags: ServeFlags, ended: Promise<void>): Promise<void> {
  const { servedModelName } = flags;
  const engine = await Engine.load({
    ...engineOptions(flags),
    warmUp: true,
    ...(servedModelName === undefined ? {} : { servedModelName }),
  });
  const { name: device, driver } = engine.device.info;
  const server = await serveEngine(engine, flags).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
  const { name, maxModelLen, numPages, pageSize, dtype } = engine.info;
  process.stdout.write(
    `serving ${name} (${dtype}) on ${driver}, ${device}: context ${maxModelLen}, KV cache ${(numPages - 1) * pageSize} positions\nlistening on ${server.url}\n`,
  );
  await ended;
  await server.close();
}

/** `ended` resolves at the first SIGTERM or SIGINT, also one that comes while the model loads. A second one does not wait. */
function listenForEnd(): { readonly ended: Promise<void>; stop(): void } {
  let onSignal: (signal: NodeJS.Signals) => void = () => {};
  const ended = new Promise<void>((resolve) => {
    let isFirst = true;
    onSignal = (signal) => {
      if (!isFirst) process.exit(1);
      isFirst = false;
      process.stdout.write(`${signal}: finishing\n`);
      resolve();
    };
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  return {
    ended,
    stop: () => {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, onSignal);
    },
  };
}
