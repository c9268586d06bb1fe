/** [test/support] Launches compiled artifacts of the cuda and hip targets on the CPU emulation, by the names of their parameters. */
import type { Artifact, ArtifactParam, TensorMapParam } from "../../codegen/artifact.ts";
import { DTYPES } from "../../dsl/core/dtype.ts";
import { launchGrid } from "../../runtime/drivers/cuda/launch-grid.ts";
import { tensorMapFields } from "../../runtime/drivers/cuda/tensor-map.ts";
import type { Emulation, EmulationUnit, UnitOptions } from "./emulation.ts";
import type { EmulatedArgument, EmulatedLaunch, EmulatedRun } from "./emulation-protocol.ts";

/** Of the emulated device: few, so that blocks of a persistent kernel walk different numbers of tiles. */
const MULTIPROCESSORS = 3;

/** Values for one launch of an artifact. */
export interface ArtifactLaunch {
  /** The true grid; a persistent kernel is launched with fewer blocks. */
  readonly grid: readonly [number, number, number];
  /** Contents of every tensor before the launch, by name: the stored elements, row-major. */
  readonly tensors: Readonly<Record<string, Uint8Array>>;
  /** Sizes of the dims that the artifact leaves open. */
  readonly dims: Readonly<Record<string, number>>;
  readonly scalars: Readonly<Record<string, number>>;
  readonly seeds: readonly number[];
  readonly resident?: number;
  readonly check?: boolean;
}

/** Artifacts compiled together; one compile of many is much quicker than many of one. */
export interface EmulatedArtifacts {
  /** @returns one run a seed; `outputs` by tensor name for those that the kernel may write */
  launch(artifact: Artifact, launch: ArtifactLaunch): readonly EmulatedRun[];
  /** Several launches in one process. */
  launchAll(
    launches: readonly (readonly [Artifact, ArtifactLaunch])[],
  ): readonly (readonly EmulatedRun[])[];
}

/** Name under which a launch's counter of programs is given and comes back; no tensor has it. */
export const COUNTER = "counter of programs";

function givenValue<T>(values: Readonly<Record<string, T>>, name: string, what: string): T {
  const value = values[name];
  if (value === undefined) throw new Error(`no ${what} ${name} was given to the launch`);
  return value;
}

/** Refuses what cuTensorMapEncodeTiled would refuse. */
function tensorMapOf(
  param: TensorMapParam,
  artifact: Artifact,
  launch: ArtifactLaunch,
): EmulatedArgument {
  const tensor = artifact.params.find((p) => p.kind === "tensor" && p.name === param.tensor);
  if (tensor?.kind !== "tensor") throw new Error(`${param.name} maps ${param.tensor}, no tensor`);
  const sizes = { ...artifact.fixedDims, ...launch.dims };
  const shape = tensor.shape.map((dim) =>
    typeof dim === "number" ? dim : givenValue(sizes, dim, "dim"),
  );
  const fields = tensorMapFields(artifact.kernel, param, {
    pointer: 0n,
    dtype: tensor.dtype,
    shape,
  });
  return {
    kind: "tensor_map",
    buffer: param.tensor,
    dims: [...fields.dims].reverse().map(Number),
    box: [...fields.box].reverse(),
    strides: [...fields.strides].reverse(),
    bytes: shape.reduce((product, size) => product * size, DTYPES[tensor.dtype].bits / 8),
    elementBytes: DTYPES[param.dtype].bits / 8,
    swizzle: param.swizzle,
  };
}

function argumentOf(
  param: ArtifactParam,
  artifact: Artifact,
  launch: ArtifactLaunch,
): EmulatedArgument {
  switch (param.kind) {
    case "tensor": {
      const bytes = givenValue(launch.tensors, param.name, "tensor");
      const settled = artifact.early?.includes(param.name) === true;
      return { kind: "buffer", name: param.name, bytes, writable: param.access !== "in", settled };
    }
    case "dim":
      return { kind: "i32", value: givenValue(launch.dims, param.name, "dim") };
    case "scalar": {
      const value = givenValue(launch.scalars, param.name, "scalar");
      const isFloat = /^(f|bf)\d/.test(param.dtype);
      return { kind: isFloat ? "f32" : param.dtype.startsWith("i") ? "i32" : "u32", value };
    }
    case "grid":
      return { kind: "i32", value: launch.grid[param.axis] };
    case "counter":
      return {
        kind: "buffer",
        name: COUNTER,
        bytes: new Uint8Array(8),
        writable: true,
        settled: false,
      };
    case "tensor_map":
      return tensorMapOf(param, artifact, launch);
  }
  return param satisfies never;
}

function emulatedLaunch(artifact: Artifact, launch: ArtifactLaunch): EmulatedLaunch {
  const { persistent, cluster = 1, dependentLaunch = false } = artifact;
  return {
    kernel: artifact.hash,
    grid: launchGrid(artifact.kernel, launch.grid, {
      persistent,
      cluster,
      multiprocessors: MULTIPROCESSORS,
    }),
    cluster,
    dependent: dependentLaunch,
    threads: artifact.threads,
    sharedBytes: artifact.sharedBytes,
    args: artifact.params.map((param) => argumentOf(param, artifact, launch)),
    seeds: launch.seeds,
    ...(launch.resident === undefined ? {} : { resident: launch.resident }),
    ...(launch.check === undefined ? {} : { check: launch.check }),
  };
}

/**
 * Compiles the texts of artifacts for the CPU.
 * @param artifacts of target cuda or hip, all with the same warp size; equal hashes are compiled once
 */
export function emulateArtifacts(
  emulation: Emulation,
  artifacts: readonly Artifact[],
  options: Omit<UnitOptions, "warp"> = {},
): EmulatedArtifacts {
  const warps = new Set(artifacts.map((artifact) => artifact.target.warpSize));
  const warp = [...warps][0] ?? 32;
  if (warps.size > 1 || (warp !== 32 && warp !== 64)) {
    throw new Error(
      `artifacts of one warp size, 32 or 64, are emulated together; these have ${[...warps].join(", ")}`,
    );
  }
  const distinct = new Map(artifacts.map((artifact) => [artifact.hash, artifact]));
  const unit: EmulationUnit = emulation.build(
    [...distinct].map(([id, { entry, text }]) => ({ id, entry, text })),
    { ...options, warp },
  );
  const launchAll: EmulatedArtifacts["launchAll"] = (launches) =>
    unit.launchAll(launches.map(([artifact, launch]) => emulatedLaunch(artifact, launch)));
  return { launchAll, launch: (artifact, launch) => launchAll([[artifact, launch]])[0] ?? [] };
}
