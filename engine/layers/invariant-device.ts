/** [engine/layers] A device whose launches give a row the same bits whatever rows are beside it: no config is chosen by sizes. */
import type { PackedOrder } from "../../codegen/index.ts";
import type { KernelDefinition } from "../../dsl/index.ts";
import type {
  Device,
  DeviceBuffer,
  DeviceEvent,
  DeviceInfo,
  DeviceLimits,
  Graph,
  KernelArgument,
  LaunchOptions,
  Stream,
} from "../../runtime/index.ts";

type Arguments = Readonly<Record<string, KernelArgument>>;

/** No config is asked for by sizes: the kernel's own is taken. */
const OWN_CONFIG: LaunchOptions = Object.freeze({ config: Object.freeze({}) });

/**
 * Launches that name no config get the kernel's own, where another device may choose one by the number of rows, and another config
 * adds up in another order. Which configs the engine names then is in `layerLaunchOptions`.
 */
export class InvariantDevice implements Device {
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  readonly target: Device["target"];
  readonly defaultStream?: Stream;
  readonly createStream?: () => Stream;
  readonly createEvent?: () => DeviceEvent;
  readonly capture?: (record: (stream: Stream) => void) => Graph;
  readonly #device: Device;
  /** One object for each, so that a launch finds its plan by identity. */
  readonly #fixed = new WeakMap<LaunchOptions, LaunchOptions>();

  constructor(device: Device) {
    this.#device = device;
    this.info = device.info;
    this.limits = device.limits;
    this.target = device.target;
    const { defaultStream, createStream, createEvent, capture } = device;
    if (defaultStream !== undefined) this.defaultStream = defaultStream;
    if (createStream !== undefined) this.createStream = () => createStream.call(device);
    if (createEvent !== undefined) this.createEvent = () => createEvent.call(device);
    if (capture !== undefined) this.capture = (record) => capture.call(device, record);
  }

  alloc(bytes: number): DeviceBuffer {
    return this.#device.alloc(bytes);
  }

  free(buffer: DeviceBuffer): void {
    this.#device.free(buffer);
  }

  trim(): void {
    this.#device.trim();
  }

  park(...args: Parameters<Device["park"]>): ReturnType<Device["park"]> {
    return this.#device.park(...args);
  }

  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void {
    this.#device.write(buffer, byteOffset, data);
  }

  read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array> {
    return this.#device.read(buffer, byteOffset, bytes);
  }

  copy(...args: Parameters<Device["copy"]>): void {
    this.#device.copy(...args);
  }

  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void {
    this.#device.fill(buffer, byteOffset, bytes, value);
  }

  launch(kernel: KernelDefinition, args: Arguments, options?: LaunchOptions): void {
    this.#device.launch(kernel, args, this.#withConfig(options));
  }

  packedOrders(
    kernel: KernelDefinition,
    args: Arguments,
    options?: LaunchOptions,
  ): Readonly<Record<string, PackedOrder>> {
    return this.#device.packedOrders(kernel, args, this.#withConfig(options));
  }

  prepare(kernel: KernelDefinition, args: Arguments, options?: LaunchOptions): Promise<void> {
    return this.#device.prepare(kernel, args, this.#withConfig(options));
  }

  synchronize(): Promise<void> {
    return this.#device.synchronize();
  }

  close(): Promise<void> {
    return this.#device.close();
  }

  #withConfig(options: LaunchOptions | undefined): LaunchOptions {
    if (options === undefined) return OWN_CONFIG;
    if (options.config !== undefined) return options;
    const known = this.#fixed.get(options);
    if (known !== undefined) return known;
    const fixed = { ...options, ...OWN_CONFIG };
    this.#fixed.set(options, fixed);
    return fixed;
  }
}
