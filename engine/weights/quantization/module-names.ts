/** [engine/weights/quantization] Whether the lists of a checkpoint (ignored, not converted, targets) name a module, in its fused or its unfused form. */
import { ModelError } from "../../../dsl/index.ts";

/** Modules that engines fuse, by the name they then have. */
const FUSED: Readonly<Record<string, readonly string[]>> = {
  qkv_proj: ["q_proj", "k_proj", "v_proj"],
  gate_up_proj: ["gate_proj", "up_proj"],
};

function withLast(name: string, last: string): string {
  return [...name.split(".").slice(0, -1), last].join(".");
}

/** The module's name, and those under which a list may have it: of what it is fused into. */
function spellings(name: string): readonly string[] {
  const last = name.split(".").at(-1) ?? "";
  const wholes = Object.keys(FUSED).filter((whole) => FUSED[whole]?.includes(last) === true);
  return [name, ...wholes.map((whole) => withLast(name, whole))];
}

/**
 * An expression of a list, which must match from the start.
 * @throws ModelError TW4211 where it is none, or has what only Python knows
 */
export function expressionOf(text: string): RegExp {
  try {
    return new RegExp(`^(?:${text})`);
  } catch (cause) {
    throw new ModelError(
      {
        code: "TW4211",
        message:
          "config.json: a list of 'quantization_config' holds an expression that cannot be read",
        seen: text,
        expected: "a regular expression",
        remedy: "correct the file, or use another checkpoint of the model",
      },
      { cause },
    );
  }
}

/** `re:` introduces an expression that must match from the start; anything else is a run of whole steps of the name, `*` any one step. */
function matches(pattern: string, name: string): boolean {
  if (pattern.startsWith("re:")) return expressionOf(pattern.slice(3)).test(name);
  const steps = name.split(".");
  const wanted = pattern.split(".");
  return steps.some((_, start) =>
    wanted.every(
      (step, i) => step === steps[start + i] || (step === "*" && start + i < steps.length),
    ),
  );
}

/** Whether one of the patterns names the module; a fused one is named by all of its parts too. */
export function isNamed(patterns: readonly string[], name: string): boolean {
  const isListed = (module: string): boolean =>
    spellings(module).some((spelling) => patterns.some((pattern) => matches(pattern, spelling)));
  if (isListed(name)) return true;
  const parts = FUSED[name.split(".").at(-1) ?? ""];
  return parts?.every((part) => isListed(withLast(name, part))) === true;
}
