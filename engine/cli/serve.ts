/** [engine/cli] `tilewright serve`: the HTTP server until SIGTERM or SIGINT. */
import { type Command, Option } from "commander";
import { ModelError } from "../../dsl/index.ts";
import { POOLINGS } from "../core.ts";
import { pickNamed, SERVE_OPTIONS } from "../option-names.ts";
import { LOG_LEVELS, SERVER_DEFAULTS, type ServeOptions } from "../server/options.ts";
import { startServing } from "../server/serve-model.ts";
import { RENDER_SECONDS } from "../tokenizer/template-renderer.ts";
import { readText } from "./flag-file.ts";
import {
  addModelFlags,
  count,
  engineOptions,
  type ModelFlags,
  number,
  portNumber,
  positive,
  unset,
} from "./model-flags.ts";

interface GivenFlags
  extends Omit<ModelFlags, "model">,
    Pick<
      ServeOptions,
      | "maxConcurrentRequests"
      | "maxBodyBytes"
      | "maxPrompts"
      | "maxChoices"
      | "maxStops"
      | "keepAliveSeconds"
      | "allowedOrigins"
      | "allowedHosts"
      | "trustRequestChatTemplate"
      | "chatTemplateSeconds"
      | "logLevel"
      | "metricsNamespace"
      | "pooling"
    > {
  readonly host: string;
  readonly port: number;
  readonly servedModelName?: readonly string[];
  readonly apiKey?: readonly string[];
  readonly sslKeyfile?: string;
  readonly sslCertfile?: string;
  readonly sslCaCerts?: string;
  readonly chatTemplate?: string;
  readonly enableAdminRoutes?: boolean;
  readonly disableFrontendMultiprocessing?: boolean;
  readonly enableForceIncludeUsage?: boolean;
  readonly shutdownTimeout: number;
  readonly otlpTracesEndpoint?: string;
  readonly otlpTracesHeaders?: readonly string[];
  readonly otlpTracesSampleRate?: number;
  readonly model?: string;
}

type ServeFlags = GivenFlags & Pick<ModelFlags, "model">;

export function addServe(program: Command): void {
  const command = addModelFlags(
    program
      .command("serve")
      .description("serve a model over HTTP (OpenAI API)")
      .argument("[model]", "as --model"),
    "model folder in Hugging Face layout, or a hub id",
  );
  addHttpFlags(command)
    .option(
      "--served-model-name <names...>",
      "names of the model in the API; answers have the first",
    )
    .option("--chat-template <file>", "Jinja file in the place of the model's chat template")
    .option(
      "--chat-template-seconds <s>",
      unset("that a chat template may take for one prompt", RENDER_SECONDS),
      number,
    )
    .option("--trust-request-chat-template", "requests may bring their own chat template")
    .option(
      "--disable-frontend-multiprocessing",
      "the model runs in the server's own process instead of one that is started again",
    )
    .addOption(
      new Option("--pooling <how>", unset("vectors of /v1/embeddings", "last")).choices(POOLINGS),
    )
    .option("--config <file>", "YAML or JSON file of flags without their dashes; flags here win")
    .action(run);
}

function addHttpFlags(command: Command): Command {
  return command
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <n>", "port to listen on; 0 picks a free one", portNumber, 8000)
    .option(
      "--api-key <keys...>",
      "keys of which one is asked for on every route but health and the chat page",
    )
    .option("--allowed-origins <origins...>", "origins whose pages may call; * for any")
    .option("--allowed-hosts <names...>", "names that the server is called by; * for any")
    .option("--ssl-keyfile <file>", "key of TLS, PEM")
    .option("--ssl-certfile <file>", "certificate of TLS, PEM")
    .option("--ssl-ca-certs <file>", "certificates of authorities, PEM")
    .option(
      "--max-concurrent-requests <n>",
      unset("requests in flight; more get status 429", "no bound"),
      positive,
    )
    .option(
      "--max-body-bytes <n>",
      unset("largest request body", SERVER_DEFAULTS.maxBodyBytes),
      positive,
    )
    .option(
      "--max-prompts <n>",
      unset("prompts of one request", SERVER_DEFAULTS.maxPrompts),
      positive,
    )
    .option(
      "--max-choices <n>",
      unset("choices of one prompt", SERVER_DEFAULTS.maxChoices),
      positive,
    )
    .option(
      "--max-stops <n>",
      unset("stop strings of one request", SERVER_DEFAULTS.maxStops),
      positive,
    )
    .option(
      "--keep-alive-seconds <s>",
      unset(
        "silence after which a stream gets a comment; 0: never",
        SERVER_DEFAULTS.keepAliveSeconds,
      ),
      number,
    )
    .option("--shutdown-timeout <s>", "seconds that requests get to end at SIGTERM", count, 30)
    .option("--enable-force-include-usage", "streams always end with their usage")
    .option("--metrics-namespace <name>", "what names of metrics begin with (default: vllm)")
    .option("--otlp-traces-endpoint <url>", "spans of requests go there, as OTLP/HTTP JSON")
    .option("--otlp-traces-headers <name=value...>", "sent with the spans")
    .option(
      "--otlp-traces-sample-rate <share>",
      unset("of requests without a traceparent", 1),
      number,
    )
    .option("--enable-admin-routes", "/sleep, /wake_up and /reset_prefix_cache")
    .addOption(
      new Option(
        "--log-level <level>",
        unset("JSON log lines on stdout", "none are written"),
      ).choices(LOG_LEVELS),
    );
}

async function run(named: string | undefined, given: GivenFlags, command: Command): Promise<void> {
  const model = named ?? given.model;
  if (model === undefined)
    command.error(
      "error: name a model, by --model or as the first argument (behind a flag of several values it is one of them)",
      { exitCode: 2 },
    );
  if (named !== undefined && given.model !== undefined)
    command.error("error: give the model once, as an argument or as --model", { exitCode: 2 });
  const flags = { ...given, model };
  const signals = listenForEnd();
  try {
    await serve(flags, signals.ended);
  } finally {
    signals.stop();
  }
}

async function serve(flags: ServeFlags, ended: Promise<void>): Promise<void> {
  const { servedModelName } = flags;
  const stop = new AbortController();
  void ended.then(() => stop.abort());
  const { url, loaded } = await startServing({
    ...serveOptions(flags),
    ...engineOptions(flags),
    warmUp: "every-batch",
    coreProcess: flags.disableFrontendMultiprocessing !== true,
    signal: stop.signal,
    ...(servedModelName === undefined ? {} : { servedModelName }),
  });
  process.stdout.write(`loading ${flags.model}; until it is there ${url} answers 503\n`);
  const running = await loaded.catch((error: unknown) => {
    if (stop.signal.aborted) return undefined; // it was to end
    throw error;
  });
  if (running === undefined) return;
  const { engine, server } = running;
  const { name, maxModelLen, numPages, pageSize, dtype, kvDtype, device } = engine.info;
  process.stdout.write(
    `serving ${name} (${dtype}) on ${device.driver}, ${device.name}: context ${maxModelLen}, KV cache ${numPages - 1} pages of ${pageSize} positions (${kvDtype})\nlistening on ${server.url}\n`,
  );
  await ended;
  await server.close(flags.shutdownTimeout * 1000);
}

/** @throws ModelError TW4316 for a file that cannot be read, TW4319 for flags that do not fit together */
function serveOptions(flags: ServeFlags): ServeOptions {
  const { apiKey, sslKeyfile, sslCertfile, sslCaCerts, chatTemplate } = flags;
  if ((sslKeyfile === undefined) !== (sslCertfile === undefined))
    throw unfit(
      "--ssl-keyfile and --ssl-certfile go together",
      "only one of them",
      "both, or none",
    );
  const tls =
    sslKeyfile === undefined || sslCertfile === undefined
      ? undefined
      : {
          key: readText("--ssl-keyfile", sslKeyfile),
          cert: readText("--ssl-certfile", sslCertfile),
          ...(sslCaCerts === undefined ? {} : { ca: readText("--ssl-ca-certs", sslCaCerts) }),
        };
  return {
    ...pickNamed(flags, SERVE_OPTIONS),
    ...(apiKey === undefined ? {} : { apiKeys: apiKey }),
    ...(tls === undefined ? {} : { tls }),
    ...(chatTemplate === undefined
      ? {}
      : { chatTemplate: readText("--chat-template", chatTemplate) }),
    ...tracingOptions(flags),
    adminRoutes: flags.enableAdminRoutes === true,
    forceIncludeUsage: flags.enableForceIncludeUsage === true,
  };
}

/** @throws ModelError TW4319 */
function tracingOptions(flags: ServeFlags): Pick<ServeOptions, "tracing"> {
  const { otlpTracesEndpoint, otlpTracesHeaders = [], otlpTracesSampleRate } = flags;
  if (otlpTracesEndpoint === undefined) return {};
  const headers = otlpTracesHeaders.map((pair) => {
    const at = pair.indexOf("=");
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)] as const;
    throw unfit("a header of --otlp-traces-headers has no value", pair, "name=value");
  });
  return {
    tracing: {
      endpoint: otlpTracesEndpoint,
      headers: Object.fromEntries(headers),
      ...(otlpTracesSampleRate === undefined ? {} : { sampleRate: otlpTracesSampleRate }),
    },
  };
}

function unfit(message: string, seen: string, expected: string): ModelError {
  return new ModelError({ code: "TW4319", message, seen, expected, remedy: "correct the flags" });
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
