/** [codegen/targets] Every target that text is made for, by name. */
import type { TargetName } from "../artifact.ts";
import { cuda } from "./cuda/target.ts";
import { hip } from "./hip/target.ts";
import type { Target } from "./target.ts";
import { wgsl } from "./wgsl/target.ts";

export const TARGETS: Readonly<Record<TargetName, Target>> = { cuda, hip, wgsl };

export const TARGET_NAMES = Object.keys(TARGETS) as readonly TargetName[];
