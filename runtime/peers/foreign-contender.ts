/** [runtime/peers] Foreign CUDA texts as contenders: compiled, given tensor maps and scratch memory, launched as their description says. */
import type { TensorMapParam } from "../../codegen/index.ts";
import { LaunchError, nodeModule } from "../../dsl/index.ts";
import { tensorIn } from "../bench/arguments.ts";
import type { ArgumentSet, BenchCall, Contender } from "../bench/contender.ts";
import { type Expression, evaluate, type Scope } from "../bench/expression.ts";
import {
  type ForeignArgument,
  type ForeignText,
  type ForeignVariant,
  scopeOf,
  variantsFor,
} from "../bench/foreign.ts";
import type { DeviceBuffer } from "../device.ts";
import type { CudaDriver } from "../drivers/cuda/driver.ts";
import type { CudaFunction } from "../drivers/cuda/function.ts";
import { addressOfTensor, handleOfStream } from "../drivers/cuda/interop.ts";
import { tensorMapFields } from "../drivers/cuda/tensor-map.ts";
import { TENSOR_MAP_ALIGNMENT, TENSOR_MAP_BYTES } from "../drivers/cuda/tensor-map-cache.ts";
import { addressOf } from "../drivers/native/library.ts";
import { type PlainArgument, PlainArguments, TextModule } from "./text-module.ts";

const { readFileSync } = nodeModule("node:fs");
const { join } = nodeModule("node:path");

/** Whether a text computes a call: the kernel, its dtypes, and no epilogue of the launch's own. */
function computes(text: ForeignText, call: BenchCall): boolean {
  const { dtypes, functions } = call.problem;
  return (
    text.computes.includes(call.kernel) &&
    functions === undefined &&
    Object.entries(text.dtypes).every(([variable, dtype]) => dtypes[variable] === dtype)
  );
}

/** A contender for each variant of a text that is meant for the call's sizes. */
export function foreignContenders(
  driver: CudaDriver,
  text: ForeignText,
  call: BenchCall,
): readonly Contender[] {
  if (!computes(text, call)) return [];
  return variantsFor(text, call.problem.dims).map(
    (variant) => new ForeignContender(driver, text, variant, call),
  );
}

class ForeignContender implements Contender {
  readonly name: string;
  readonly role = "foreign";
  readonly detail: string;
  readonly accumulation: Contender["accumulation"] & string;
  readonly #call: BenchCall;
  readonly #driver: CudaDriver;
  readonly #module: TextModule;
  readonly #function: CudaFunction;
  readonly #grid: readonly [number, number, number];
  readonly #arguments: readonly PlainArguments[];
  readonly #scratch: DeviceBuffer[] = [];
  readonly #maps: Uint8Array[] = [];

  constructor(driver: CudaDriver, text: ForeignText, variant: ForeignVariant, call: BenchCall) {
    this.name = text.name;
    this.detail = variant.name;
    this.accumulation = text.accumulation;
    this.#call = call;
    this.#driver = driver;
    const defines = { ...text.defines, ...variant.defines };
    this.#module = new TextModule(driver, text.entry, readTexts(text), defines);
    const { multiprocessors } = driver.facts;
    const { dims } = call.problem;
    const valueIn = (scope: Scope) => (what: string, expression: Expression) =>
      evaluate(expression, scope, `${text.name} ${variant.name}, ${what}`);
    // The shape of a block comes first: how many clusters run at once depends on it.
    const before = valueIn(
      scopeOf(text, variant, dims, { SMS: multiprocessors, CLUSTERS: multiprocessors }),
    );
    const cluster = before("cluster", text.cluster);
    this.#function = this.#module.function({
      entry: text.entry,
      threads: before("threads", text.threads),
      sharedBytes: before("sharedBytes", text.sharedBytes),
      cluster,
      dependentLaunch: text.dependentLaunch,
    });
    const CLUSTERS = cluster > 1 ? this.#function.activeClusters() : multiprocessors;
    const value = valueIn(scopeOf(text, variant, dims, { SMS: multiprocessors, CLUSTERS }));
    const [x, y, z] = text.grid;
    this.#grid = [value("grid", x), value("grid", y), value("grid", z)];
    const wanted = text.arguments.filter(
      ({ when }) => when === undefined || value("when", when) !== 0,
    );
    this.#arguments = call.sets.map(
      (set) => new PlainArguments(wanted.map((argument) => this.#pack(argument, set, value))),
    );
  }

  run(set: number, stream?: Parameters<Contender["run"]>[1]): void {
    const on = handleOfStream(stream ?? this.#call.device.defaultStream);
    this.#function.launch(this.#grid, on, this.#arguments[set]?.slotsAddress ?? 0n);
  }

  close(): void {
    for (const buffer of this.#scratch) this.#call.device.free(buffer);
    this.#module.close();
  }

  #pack(
    argument: ForeignArgument,
    set: ArgumentSet,
    value: (what: string, expression: Expression) => number,
  ): PlainArgument {
    switch (argument.kind) {
      case "word":
        return { u32: value("word", argument.value) };
      case "tensor":
        return { u64: addressOfTensor(tensorIn(set, argument.tensor)) };
      case "scratch": {
        const { device } = this.#call;
        const words = Math.max(1, Math.ceil(value("scratch", argument.bytes) / 4));
        const buffer = device.alloc(4 * words);
        const filled = new Uint8Array(new Float32Array(words).fill(argument.fill).buffer);
        device.write(buffer, 0, filled);
        this.#scratch.push(buffer);
        return { u64: addressOfTensor({ buffer, byteOffset: 0, dtype: "u8", shape: [] }) };
      }
      case "map":
        return { at: this.#encode(argument, set, value) };
      default:
        return argument satisfies never;
    }
  }

  #encode(
    { tensor, box, swizzle }: Extract<ForeignArgument, { kind: "map" }>,
    set: ArgumentSet,
    value: (what: string, expression: Expression) => number,
  ): bigint {
    const mapped = tensorIn(set, tensor);
    const param: TensorMapParam = {
      kind: "tensor_map",
      name: `map of ${tensor}`,
      tensor,
      dtype: mapped.dtype,
      box: box.map((size) => value("box", size)),
      swizzle,
    };
    const pointer = addressOfTensor(mapped);
    const fields = tensorMapFields(this.name, param, { ...mapped, pointer });
    const bytes = new Uint8Array(TENSOR_MAP_BYTES + TENSOR_MAP_ALIGNMENT);
    this.#maps.push(bytes);
    const step = BigInt(TENSOR_MAP_ALIGNMENT);
    const address = ((addressOf(bytes) + step - 1n) / step) * step;
    this.#driver.encodeTensorMap(address, fields, `'${param.name}' of '${this.name}'`);
    return address;
  }
}

/** @throws LaunchError TW3312 where a file is missing */
function readTexts({ name, folder, files }: ForeignText): string {
  return files
    .map((file) => {
      try {
        return readFileSync(join(folder, file), "utf8");
      } catch {
        throw new LaunchError({
          code: "TW3312",
          message: `foreign text '${name}': a file is missing`,
          seen: `no ${file} in ${folder}`,
          expected: files.join(", "),
          remedy: "name the folder that holds them by --foreign-texts",
        });
      }
    })
    .join("\n");
}
