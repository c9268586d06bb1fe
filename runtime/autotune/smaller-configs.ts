/** [runtime/autotune] Configs that need less than a given one, nearest first: what is left to try where a device is too small. */
import type { KernelDefinition } from "../../dsl/index.ts";

type Config = Readonly<Record<string, number | boolean>>;

/**
 * Walks down the kernel's tuning space from `config`: first every config with one value one step lower, then those with two steps, and
 * so on. Values that the space does not list stay.
 * @param most how many are given at most
 */
export function* smallerConfigs(
  kernel: KernelDefinition,
  config: Config,
  most = 48,
): Generator<Config> {
  const seen = new Set<string>([JSON.stringify(config)]);
  let front: readonly Config[] = [config];
  let given = 0;
  while (front.length > 0) {
    const next: Config[] = [];
    for (const from of front) {
      for (const smaller of stepsDown(kernel, from)) {
        const name = JSON.stringify(smaller);
        if (seen.has(name)) continue;
        seen.add(name);
        next.push(smaller);
        if (kernel.when?.(smaller) === false) continue;
        yield smaller;
        if (++given === most) return;
      }
    }
    front = next;
  }
}

function stepsDown(kernel: KernelDefinition, config: Config): readonly Config[] {
  return Object.entries(kernel.tune).flatMap(([key, values]) => {
    const current = config[key];
    if (typeof current !== "number") return [];
    const lower = values.filter((v): v is number => typeof v === "number" && v < current);
    return lower.length === 0 ? [] : [{ ...config, [key]: Math.max(...lower) }];
  });
}
