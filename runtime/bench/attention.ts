/** [runtime/bench] A call seen as softmax(scale · q · kᵀ) · v over whole tensors: its sizes and tensors. Computes nothing. */
import type { DType } from "../../dsl/index.ts";
import type { Tensor } from "../device.ts";
import type { BenchCall } from "./contender.ts";
import type { AttentionRoles } from "./problem.ts";

export interface AttentionSet {
  /** `[b, l, hq, d]` */
  readonly q: Tensor;
  /** `[b, lk, hkv, d]` */
  readonly k: Tensor;
  readonly v: Tensor;
  /** like q */
  readonly o: Tensor;
}

export interface AttentionCall {
  readonly b: number;
  readonly l: number;
  readonly lk: number;
  readonly hq: number;
  readonly hkv: number;
  readonly d: number;
  readonly dtype: DType;
  /** Query i of l attends to the keys up to `lk - l + i`; to all of them where false. */
  readonly isCausal: boolean;
  /** Factor of the scores. */
  readonly scale: number;
  readonly sets: readonly AttentionSet[];
}

/** @returns undefined where the call is no such attention, values are not as wide as keys, or there are none */
export function attentionOf(call: BenchCall): AttentionCall | undefined {
  const { attention: roles, problem, scalars } = call;
  if (roles === undefined) return undefined;
  const sets = call.sets.flatMap((set): AttentionSet[] => {
    const [q, k, v, o] = [set[roles.q], set[roles.k], set[roles.v], set[roles.o]];
    return q && k && v && o ? [{ q, k, v, o }] : [];
  });
  const [first] = sets;
  if (first === undefined || sets.length !== call.sets.length) return undefined;
  const [b = 0, l = 0, hq = 0, d = 0] = first.q.shape;
  const [, lk = 0, hkv = 0] = first.k.shape;
  if (first.v.shape.at(-1) !== d) return undefined;
  const isWhole = b * l * lk * hq * hkv * d > 0 && hq % hkv === 0;
  const scale = scalars[roles.scale];
  if (!isWhole || scale === undefined) return undefined;
  const isCausal = problem.config?.[roles.causal] !== 0;
  return { b, l, lk, hq, hkv, d, dtype: first.q.dtype, isCausal, scale, sets };
}

/** The scale that scores are usually multiplied by, for subjects whose inputs are made on the device. */
export function usualScale(roles: AttentionRoles, d: number): Readonly<Record<string, number>> {
  return { [roles.scale]: Math.fround(1 / Math.sqrt(d)) };
}
