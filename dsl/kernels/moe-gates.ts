/** [dsl/kernels] How experts join gate and up where it is not silu(gate) · up; functions that kernels inline. Not a kernel. */
import { deviceFunction } from "../language.ts";
import { maximum, minimum, sigmoid } from "../ops/catalogue.ts";

/** Gate and up are held below this, up also above its negative. */
export const CLAMPED_GATE_LIMIT = 7;
/** Steepness of the sigmoid. */
export const CLAMPED_GATE_ALPHA = 1.702;

/** (up + 1) · gate · sigmoid(α · gate), both clamped first. @source arXiv 2508.10925 (gpt-oss model card), its reference code */
export const clampedGate = deviceFunction((gate: number, up: number) => {
  const held = minimum(gate, CLAMPED_GATE_LIMIT);
  const bounded = maximum(minimum(up, CLAMPED_GATE_LIMIT), -CLAMPED_GATE_LIMIT);
  return (bounded + 1) * held * sigmoid(CLAMPED_GATE_ALPHA * held);
});
