/** [engine/layers] Loads the weights of all experts of a layer as stacks: from one tensor each or from common ones, of floats or quantized. */
import { ModelError } from "../../dsl/index.ts";
import type { Tensor } from "../../runtime/index.ts";
import { convertTensor } from "../weights/checkpoint.ts";
import type { QuantizedWeight } from "../weights/quantization/quantized-weight.ts";
import type { ExpertsSize } from "../weights/quantization/read-mxfp4-experts.ts";
import { type ExpertStack, stackExperts } from "../weights/quantization/stack-experts.ts";
import {
  EightBitExperts,
  type ExpertProduct,
  FloatExperts,
  QuantizedExperts,
} from "./expert-product.ts";
import type { WeightLoader } from "./weight-loader.ts";

/** One checkpoint tensor for each projection of each expert, without biases: `<name>.<i>.<projection>.weight`. */
export interface SeparateExperts {
  readonly kind: "separate";
  readonly name: string;
  readonly projections: { readonly gate: string; readonly up: string; readonly down: string };
}

/**
 * One checkpoint tensor for all experts: names of `[E, 2 · I, H]` and `[E, H, I]`, of biases `[E, 2 · I]` and `[E, H]`. In mxfp4 there are
 * `<name>_blocks` and `<name>_scales` in the place of a weight.
 */
export interface StackedExperts {
  readonly kind: "stacked";
  readonly gateUp: string;
  readonly down: string;
  readonly biases?: { readonly gateUp: string; readonly down: string };
  /** True where the rows of gate and up take turns; else all of gate come first. */
  readonly isInterleaved: boolean;
}

export interface ExpertSizes {
  readonly experts: number;
  readonly inner: number;
  readonly hidden: number;
}

export interface ExpertProducts {
  /** Gate, then up. */
  readonly gateUp: ExpertProduct;
  readonly down: ExpertProduct;
}

export function loadExperts(
  weights: WeightLoader,
  tensors: SeparateExperts | StackedExperts,
  sizes: ExpertSizes,
): ExpertProducts {
  if (tensors.kind === "stacked") return loadStacked(weights, tensors, sizes);
  const { inner, hidden } = sizes;
  const { gate, up, down } = tensors.projections;
  const names = Array.from({ length: sizes.experts }, (_, i) => `${tensors.name}.${i}`);
  const modules = (parts: readonly string[], rows: number, inputs: number) =>
    names.map((name) => parts.map((part) => ({ name: `${name}.${part}`, rows, inputs })));
  return {
    gateUp: loadSeparate(weights, modules([gate, up], inner, hidden)),
    down: loadSeparate(weights, modules([down], hidden, inner)),
  };
}

interface Module {
  readonly name: string;
  readonly rows: number;
  readonly inputs: number;
}

/** @param modules of each expert, those that are computed together */
function loadSeparate(
  weights: WeightLoader,
  modules: readonly (readonly Module[])[],
): ExpertProduct {
  const [{ rows, inputs } = { rows: 0, inputs: 0 }, ...others] = modules[0] ?? [];
  const [experts, halves] = [modules.length, 1 + others.length];
  const bias = weights.empty([experts, 0, rows]);
  const stored = modules.map((one) => weights.quantized(one));
  if (stored.every((weight) => weight === undefined)) {
    const parts = modules
      .flat()
      .map(({ name }) => ({ name: `${name}.weight`, shape: [rows, inputs] }));
    return new FloatExperts(
      weights.stacked(parts, { shape: [experts, halves, rows, inputs] }),
      bias,
    );
  }
  const names = modules.map(([first]) => first?.name ?? "");
  const found = stored.filter((weight) => weight !== "missing");
  if (found.length < stored.length) return new FloatExperts(weights.nothing(), bias);
  const stack = stackExperts(
    found.map((weight, i) => requireStored(weight, names, i)),
    names,
    halves,
  );
  return expertProduct(weights, stack, bias);
}

function requireStored(
  weight: QuantizedWeight | undefined,
  names: readonly string[],
  at: number,
): QuantizedWeight {
  if (weight !== undefined) return weight;
  throw new ModelError({
    code: "TW4241",
    message: "experts of one layer are quantized differently",
    seen: `${names[at]} is not quantized, others are`,
    expected: "one scheme for all experts of a layer",
    remedy: "use a checkpoint that ignores all of them or none",
  });
}

function loadStacked(
  weights: WeightLoader,
  { gateUp, down, biases, isInterleaved }: StackedExperts,
  { experts, inner, hidden }: ExpertSizes,
): ExpertProducts {
  const both = { experts, halves: 2, rows: inner, inputs: hidden, isInterleaved };
  const single = { experts, halves: 1, rows: hidden, inputs: inner, isInterleaved: false };
  return {
    gateUp: loadStack(weights, gateUp, biases?.gateUp, both),
    down: loadStack(weights, down, biases?.down, single),
  };
}

function loadStack(
  weights: WeightLoader,
  name: string,
  biasName: string | undefined,
  size: ExpertsSize,
): ExpertProduct {
  const { experts, halves, rows, inputs, isInterleaved } = size;
  const one = (part: string, columns: readonly number[]) =>
    weights.stacked([{ name: part, shape: [experts, halves * rows, ...columns] }], {
      shape: [experts, halves, rows, ...columns],
      isInterleaved,
    });
  const bias = biasName === undefined ? weights.empty([experts, 0, rows]) : one(biasName, []);
  const stack = weights.quantizedExperts(name, size);
  if (stack === undefined) return new FloatExperts(one(name, [inputs]), bias);
  if (stack === "missing") return new FloatExperts(weights.nothing(), bias);
  return expertProduct(weights, stack, bias);
}

function expertProduct(weights: WeightLoader, stack: ExpertStack, bias: Tensor): ExpertProduct {
  switch (stack.kind) {
    case "float": {
      const parts = stack.weights.map((weight) => convertTensor(weight, weights.dtype).bytes);
      const { shape } = stack;
      return new FloatExperts(weights.uploadParts({ dtype: weights.dtype, shape, parts }), bias);
    }
    case "quantized": {
      const [w, scale] = [weights.uploadParts(stack.codes), weights.upload(stack.scale)];
      const zero = weights.upload(stack.zero);
      const order = stack.order && weights.upload(stack.order);
      return new QuantizedExperts({ w, scale, zero, bias }, order);
    }
    case "eight-bit": {
      const { codes, scale, inputScale } = stack;
      return new EightBitExperts(
        { w: weights.uploadParts(codes), scale: weights.upload(scale), bias },
        inputScale === undefined ? undefined : weights.table(Float32Array.of(inputScale), [1]),
      );
    }
    default:
      return stack satisfies never;
  }
}
