/** [engine/server] Load and serve: the port opens at once, the model comes behind it. No routes. */
import { checkBeforeLoad } from "../before-load.ts";
import type { EngineOptions } from "../config.ts";
import { Engine } from "../engine.ts";
import { checkServeNames, ENGINE_OPTIONS, pickNamed, SERVE_OPTIONS } from "../option-names.ts";
import { Front } from "./front.ts";
import { type Server, serveEngine } from "./http.ts";
import { type ServeOptions, serverLimits } from "./options.ts";

export interface StartingServer {
  readonly url: string;
  readonly port: number;
  /** Resolves when requests are taken. Rejects with what loading throws; the port is closed then, and nothing stays on the device. */
  readonly loaded: Promise<{ readonly engine: Engine; readonly server: Server }>;
}

/**
 * Opens the port and begins to load, once what can be told without loading is right: options, folders, what the config allows, the driver. Until the model is there, all routes but /version answer 503 with the state of loading.
 * A model that is loaded in this process keeps it busy: then answers may come late; with `coreProcess` they do not.
 * @throws TilewrightError TW4310 where the port cannot be taken, TW4311 for options out of range, TW4124 for those that do not exist,
 * and what `checkBeforeLoad` throws
 */
export async function startServing(options: EngineOptions & ServeOptions): Promise<StartingServer> {
  checkServeNames(options, ENGINE_OPTIONS);
  serverLimits(options);
  await checkBeforeLoad(options);
  const front = await Front.open(options);
  const loaded = loadBehind(front, options);
  loaded.catch(() => {}); // whoever awaits it hears of it
  return { url: front.url, port: front.port, loaded };
}

async function loadBehind(front: Front, options: EngineOptions & ServeOptions) {
  let engine: Engine | undefined;
  try {
    engine = await Engine.load({
      ...pickNamed(options, ENGINE_OPTIONS),
      model: options.model,
      onProgress: (progress) => {
        front.tell(progress);
        options.onProgress?.(progress);
      },
    });
    return { engine, server: await serveEngine(engine, pickNamed(options, SERVE_OPTIONS), front) };
  } catch (error) {
    await front.close(async () => engine?.close());
    throw error;
  }
}
