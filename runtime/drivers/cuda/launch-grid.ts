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
 * power better than a last wave with idle multiprocessors. Otherwise the true grid.
 * @throws DeviceError TW3214 where a grid that is not persistent is no multiple of the cluster
 */
export function launchGrid(kernel: string, grid: Grid, residency: Residency): Grid {
  const { persistent, cluster } = residency;
  if (persistent === undefined) {
    if (grid[0] % cluster !== 0) throw notWholeClusters(kernel, grid, cluster);
    return grid;
  }
  const total = grid[0] * grid[1] * grid[2];
  const waves = Math.ceil(total / capacityOf(residency, persistent.blocksPerSm));
  const blocks = Math.ceil(total / waves);
  return [Math.ceil(blocks / cluster) * cluster, 1, 1];
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
