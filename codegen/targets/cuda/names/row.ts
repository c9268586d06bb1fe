/** [codegen/targets/cuda] How one line of the prelude's table is written. The lines are in the files beside it. */

/** Where a name may be called, beyond all CUDA architectures from sm_80 and HIP. */
export interface Offer {
  /** CUDA architectures from this compute capability (times ten) on. */
  readonly minArch?: number;
  /** CUDA architectures up to this compute capability. */
  readonly maxArch?: number;
  /** Only architectures with their own feature set: `sm_90a`, not `sm_90`. */
  readonly ownFeatures?: true;
  /** False: not in the HIP prelude. */
  readonly hip?: false;
  /** False: not in the CUDA prelude. */
  readonly cuda?: false;
  /** In HIP only for targets with this feature. */
  readonly hipFeature?: string;
}

/** Names from Ada on. */
export const SM_89 = { minArch: 89, hip: false } as const satisfies Offer;
/** Names from Hopper on. */
export const SM_90 = { minArch: 90, hip: false } as const satisfies Offer;
/** Names from Hopper on that PTX takes only with an architecture's own feature set. */
export const SM_90A = { minArch: 90, ownFeatures: true, hip: false } as const satisfies Offer;
/** Names of Hopper alone. */
export const ONLY_SM_90A = {
  minArch: 90,
  maxArch: 90,
  ownFeatures: true,
  hip: false,
} as const satisfies Offer;

export type Row = readonly [signature: string, meaning: string, offer?: Offer];
