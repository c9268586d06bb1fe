/** [runtime] The compile request of a launch: specialisation, divisibility and orders, from its bound arguments. */
import type { CompileRequest } from "../codegen/index.ts";
import type { DType, Specialization } from "../dsl/index.ts";
import type { LaunchOptions } from "./device.ts";
import type { Bound, KernelBinding } from "./launch.ts";

/** What a launch asks of the compiler, without the target. */
export function describeLaunch(
  binding: KernelBinding,
  bound: Bound,
  options: LaunchOptions | undefined,
  orders = binding.orders(bound),
): Omit<CompileRequest, "target"> {
  return {
    specialization: specializationOf(binding, bound, options),
    divisibility: binding.divisibility(bound.dims),
    ...(Object.keys(orders).length > 0 ? { orders } : {}),
  };
}

function specializationOf(
  binding: KernelBinding,
  bound: Bound,
  options: LaunchOptions | undefined,
): Specialization {
  const { kernel } = binding;
  const dtypes: Record<string, DType> = {};
  binding.dtypeVariables.forEach((name, i) => {
    const dtype = bound.dtypes[i];
    if (dtype !== undefined) dtypes[name] = dtype;
  });
  const dims: Record<string, number> = {};
  for (const name of kernel.specialize)
    dims[name] = bound.dims[binding.dimNames.indexOf(name)] ?? 0;
  const isGiven = options?.config !== undefined || bound.tuned !== undefined;
  const config = isGiven ? { ...bound.tuned, ...options?.config } : undefined;
  return {
    dtypes,
    dims,
    ...(config === undefined ? {} : { config }),
    ...(options?.functions === undefined ? {} : { functions: options.functions }),
  };
}
