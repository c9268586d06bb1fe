/** [engine/bench-serve] What a server takes, found out by asking it before the load: names of models, fields that it refuses, prompts of ids or of text. */
import { type Answer, type Dialect, type Endpoint, runRequest, type Target } from "./client.ts";
import { type DatasetOptions, makeRequests } from "./dataset.ts";

/** How a load is sent where nothing is left out. */
export function fullDialect(endpoint: Endpoint): Dialect {
  const prompts = endpoint === "chat" ? "text" : "ids";
  return { endpoint, prompts, ignoreEos: true, usage: true };
}

/** What can be left out, with the word that a refusal of it has. The first that still stands goes where a refusal names none. */
const STEPS: readonly {
  readonly named: RegExp;
  readonly stands: (dialect: Dialect) => boolean;
  readonly without: (dialect: Dialect) => Dialect;
}[] = [
  {
    named: /ignore_eos/i,
    stands: ({ ignoreEos }) => ignoreEos,
    without: (dialect) => ({ ...dialect, ignoreEos: false }),
  },
  {
    named: /stream_options|include_usage/i,
    stands: ({ usage }) => usage,
    without: (dialect) => ({ ...dialect, usage: false }),
  },
  {
    named: /\bprompt\b|string/i,
    stands: ({ prompts }) => prompts === "ids",
    without: (dialect) => ({ ...dialect, prompts: "text" }),
  },
];

export interface Learned {
  readonly target: Target;
  /** What the load does without, in words. */
  readonly remarks: readonly string[];
}

const PROBE_TOKENS = 16;

/**
 * Sends a few short requests until one is taken. Where none is, the target stays as it was: the load then says what is wrong.
 * @param target its model may be unknown: then it is the server's first
 */
export async function learnDialect(target: Target, options: DatasetOptions): Promise<Learned> {
  const named = { ...target, model: target.model ?? (await firstModel(target)) };
  // Another seed than the load's: the server must not know its prompts.
  const shape = { dataset: "random", numPrompts: 1, outputLen: 2, seed: ~options.seed } as const;
  const inputLen = Math.min(PROBE_TOKENS, options.inputLen);
  const [request] = makeRequests({ ...options, ...shape, inputLen });
  if (request === undefined) return { target: named, remarks: [] };
  const ask = (dialect: Dialect) => runRequest({ ...named, dialect }, request);
  const { dialect: full } = named;
  let [found, answer] = [full, await ask(full)];
  let idsRefused = "";
  while (isRefusal(answer)) {
    const next = simpler(found, answer.error ?? "");
    if (next === undefined) break;
    if (next.prompts !== found.prompts) idsRefused = answer.error ?? "";
    found = next;
    answer = await ask(found);
  }
  if (answer.error !== undefined) return { target: named, remarks: [] };
  // Refusals that name no field may have taken more than was in the way.
  for (const { stands, without } of STEPS) {
    if (!stands(full) || stands(found)) continue;
    const more = richer(found, full, without);
    const again = await ask(more);
    if (again.error === undefined) [found, answer] = [more, again];
  }
  return {
    target: { ...named, dialect: found },
    remarks: remarksOn(full, found, answer, idsRefused),
  };
}

/** With what the step took away. */
function richer(found: Dialect, full: Dialect, without: (dialect: Dialect) => Dialect): Dialect {
  const changed = (Object.keys(full) as readonly (keyof Dialect)[]).filter(
    (name) => without(full)[name] !== full[name],
  );
  return { ...found, ...Object.fromEntries(changed.map((name) => [name, full[name]])) };
}

/** Of the request's shape. */
function isRefusal({ status }: Answer): boolean {
  return status === 400 || status === 422;
}

function simpler(dialect: Dialect, refusal: string): Dialect | undefined {
  const left = STEPS.filter(({ stands }) => stands(dialect));
  const step = left.find(({ named }) => named.test(refusal)) ?? left[0];
  return step?.without(dialect);
}

function remarksOn(
  full: Dialect,
  found: Dialect,
  { hasUsage }: Answer,
  idsRefused: string,
): readonly string[] {
  return [
    ...(full.ignoreEos && !found.ignoreEos
      ? ["the server does not take ignore_eos: answers may be shorter than asked for"]
      : []),
    ...(hasUsage ? [] : ["the server does not count tokens: events are counted instead"]),
    ...(full.prompts === "ids" && found.prompts === "text"
      ? [
          `the server does not take these token ids (${idsRefused}): prompts are words, about one token each`,
        ]
      : []),
  ];
}

/** Undefined where the server does not list its models. */
async function firstModel({ baseUrl, apiKey }: Target): Promise<string | undefined> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  try {
    const response = await fetch(`${baseUrl}/v1/models`, { headers });
    const { data } = (await response.json()) as {
      readonly data?: readonly { readonly id?: unknown }[];
    };
    const id = data?.[0]?.id;
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined; // the load itself says that nobody answers
  }
}
