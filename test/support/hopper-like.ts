/** [test/support] The interpreter as an engine sees a GPU with wgmma, so that its choices for one run on the CPU. */
import type { KernelDefinition } from "../../dsl/index.ts";
import { InterpreterBackend } from "../../runtime/drivers/interpreter/device.ts";
import { CoreDevice, type KernelArgument, type LaunchOptions } from "../../runtime/index.ts";

function bound(own: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(own, key, own);
  return typeof value === "function" ? value.bind(own) : value;
}

/** The interpreter as the engine sees a GPU with wgmma; counts launches. */
export class HopperLike extends CoreDevice {
  readonly counts = new Map<string, number>();

  constructor() {
    const backend = new InterpreterBackend();
    const features = [...backend.info.features, "wgmma"];
    const info = { ...backend.info, driver: "cuda", features };
    super(new Proxy(backend, { get: (own, key) => (key === "info" ? info : bound(own, key)) }));
  }

  override launch(
    kernel: KernelDefinition,
    args: Readonly<Record<string, KernelArgument>>,
    options?: LaunchOptions,
  ): void {
    this.counts.set(kernel.name, this.countOf(kernel.name) + 1);
    super.launch(kernel, args, options);
  }

  countOf(name: string): number {
    return this.counts.get(name) ?? 0;
  }
}
