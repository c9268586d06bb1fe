/** [runtime/drivers] The grid that is launched for a true grid: persistent kernels get one wave's worth, clusters whole clusters. Pure. */
import type { Artifact } from "../../../codegen/index.ts";
import { DeviceError } from "../../../dsl/index.ts";

type Grid = readonly [number, number, number];

/** How a kernel's blocks share the device. */
export interface Residency {
  readonly persistent: Artifact["persistent"];
  /** Blocks of a cluster along x; 1 for none. */
  readonly cluster: number;
  /** Multiprocessors of the device. */
  readonly multiprocessors: number;
  /** Clusters that fit on the device at once, where it was asked; less than multiprocessors allow where a cluster must share a GPC. */
  readonly activeClusters?: number;
}

/**
 * Persistent: the smallest one-dimensional grid with the same number of waves, rounded up to whole clusters; fewer blocks share L2 and
 * power better than a last wave with idle multiprocessors. With no blocks of a multiprocessor's own, one for each program. Otherwise the true grid.
 * @throws DeviceError TW3215 where a persistent kernel has about 2^31 programs or more; TW3214 where a grid that is not persistent is no multiple of the cluster
 */
export function launchGrid(kernel: string, grid: Grid, residency: Residency): Grid {
  const { persistent, cluster } = residency;
  if (persistent === undefined) {
    if (grid[0] % cluster !== 0) throw notWholeClusters(kernel, grid, cluster);
    return grid;
  }
  const total = grid[0] * grid[1] * grid[2] * (persistent.blocksPerProgram ?? 1);
  if (total >= MOST_PROGRAMS) throw tooMany(kernel, grid);
  if (persistent.blocksPerSm === 0) return [Math.ceil(total / cluster) * cluster, 1, 1];
  const waves = Math.ceil(total / capacityOf(residency, persistent.blocksPerSm));
  const blocks = Math.ceil(total / waves);
  return [Math.ceil(blocks / cluster) * cluster, 1, 1];
}

/** Blocks count their programs in i32, and count past the last one by a wave of blocks. */
const MOST_PROGRAMS = 2 ** 31 - 2 ** 16;

function tooMany(kernel: string, grid: Grid): DeviceError {
  return new DeviceError({
    code: "TW3215",
    message: `${kernel}: the launch has more programs than its blocks can count`,
    seen: `${grid.join(" × ")} programs`,
    expected: `fewer than ${MOST_PROGRAMS} together`,
    remedy: "let a program take more of the problem, or launch it in parts",
  });
}

/** Blocks that run at once. */
function capacityOf(residency: Residency, blocksPerSm: number): number {
  const { cluster, multiprocessors, activeClusters } = residency;
  const blocks = multiprocessors * blocksPerSm;
  if (cluster === 1 || activeClusters === undefined) return Math.max(1, blocks);
  return Math.max(cluster, Math.min(blocks, activeClusters * cluster));
}

function notWholeClusters(kernel: string, grid: Grid, cluster: number): DeviceError {
  return new DeviceError({
    code: "TW3214",
    message: `${kernel}: the grid cannot be cut into clusters`,
    seen: `${grid.join(" × ")} blocks, clusters of ${cluster} along x`,
    expected: `a size along x that is a multiple of ${cluster}, or a persistent kernel`,
    remedy: "launch sizes that fill the clusters, or choose a config without clusters",
  });
}
