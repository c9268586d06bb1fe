/** [dsl/frontend] Makes the frozen record of a kernel, for `kernel()` and `kernelFromSource()`. */
import type { DefinitionSite, KernelDefinition } from "../definition.ts";
import { checkDefinition } from "./check-definition.ts";

/** What a definition is made from: all but its body and place, with defaults for what may be left out. */
export type LooseSpec = Pick<KernelDefinition, "name" | "params" | "grid"> &
  Partial<KernelDefinition>;

/** Checks and freezes a definition. `kernel()` and `kernelFromSource()` end here. */
export function defineKernel(
  spec: LooseSpec,
  body: KernelDefinition["body"],
  site: DefinitionSite,
): KernelDefinition {
  const definition: KernelDefinition = {
    kind: "kernel",
    name: spec.name,
    params: Object.freeze({ ...spec.params }),
    dtypes: Object.freeze({ ...spec.dtypes }),
    config: Object.freeze({ ...spec.config }),
    tune: Object.freeze({ ...spec.tune }),
    specialize: Object.freeze([...(spec.specialize ?? [])]),
    ...(spec.when === undefined ? {} : { when: spec.when }),
    grid: spec.grid,
    body,
    site: Object.freeze(site),
  };
  checkDefinition(definition);
  return Object.freeze(definition);
}
