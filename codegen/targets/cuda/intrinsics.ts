/** [codegen/targets/cuda] Where CUDA spells an elementwise function otherwise than the C family; at present nowhere. */
import { C_PRIMITIVES, type PrimitiveTable } from "../../c-family/primitives.ts";

export const CUDA_PRIMITIVES: PrimitiveTable = { ...C_PRIMITIVES };
