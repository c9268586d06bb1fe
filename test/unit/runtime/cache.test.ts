/** [test/unit/runtime] The disk cache under many writers, damage and its bound; the memory pool. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Device, DeviceBuffer } from "../../../runtime/device.ts";
import { DiskCache } from "../../../runtime/disk-cache.ts";
import { MemoryPool, sizeClass } from "../../../runtime/memory-pool.ts";

const freshFolder = () => mkdtempSync(join(tmpdir(), "tilewright-cache-"));

describe("disk cache", () => {
  it("gives back what was put, and nothing for what was not", () => {
    const cache = new DiskCache(join(freshFolder(), "deep", "er"), 1000);
    cache.put("a", Uint8Array.of(1, 2));
    expect(Array.from(cache.get("a") ?? [])).toEqual([1, 2]);
    expect(cache.get("b")).toBeUndefined();
  });

  it("drops the entries that were used longest ago when it is full", () => {
    const cache = new DiskCache(freshFolder(), 1000);
    for (let i = 0; i < 12; i++) {
      writeFileSync(join(cache.folder, `e${i}`), new Uint8Array(100));
      utimesSync(join(cache.folder, `e${i}`), 1000 + i, 1000 + i);
    }
    cache.get("e0"); // used now: the youngest
    cache.sweep();
    const left = readdirSync(cache.folder).sort();
    expect(left).toContain("e0");
    expect(left).not.toContain("e1");
    expect(left.length).toBe(7);
  });

  it("goes on without a folder that it can write", () => {
    const file = join(freshFolder(), "file");
    writeFileSync(file, "");
    const cache = new DiskCache(join(file, "cache"), 1000);
    cache.put("a", Uint8Array.of(1));
    expect(cache.get("a")).toBeUndefined();
  });

  it("never shows half an entry to a reader while other processes write it", async () => {
    const folder = freshFolder();
    const script = join(folder, "writer.mts");
    writeFileSync(
      script,
      `import { DiskCache } from ${JSON.stringify(join(process.cwd(), "runtime/disk-cache.ts"))};
       const cache = new DiskCache(${JSON.stringify(join(folder, "c"))}, 1e9);
       for (let i = 0; i < 200; i++) cache.put("entry", new Uint8Array(50000).fill(i));`,
    );
    const writers = [0, 1].map(() =>
      spawn(process.execPath, ["--import", "tsx", script], { stdio: "ignore" }),
    );
    let running = writers.length;
    for (const child of writers) child.once("exit", () => running--);
    const reader = new DiskCache(join(folder, "c"), 1e9);
    let reads = 0;
    while (running > 0) {
      const data = reader.get("entry");
      if (data !== undefined) {
        reads++;
        expect(data.length).toBe(50000);
        expect(data.every((byte) => byte === data[0])).toBe(true);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(reads).toBeGreaterThan(10);
  });
});

describe("memory pool", () => {
  const source = () => {
    const taken: DeviceBuffer[] = [];
    const device = {} as Device;
    return {
      taken,
      alloc: (bytes: number) => {
        if (taken.length >= 3) throw new Error("out of memory");
        const buffer = { device, bytes };
        taken.push(buffer);
        return buffer;
      },
      release: (buffer: DeviceBuffer) => void taken.splice(taken.indexOf(buffer), 1),
    };
  };

  it("rounds sizes up by at most an eighth", () => {
    for (const bytes of [1, 255, 257, 1000, 4097, 1e6, 123456789]) {
      expect(sizeClass(bytes)).toBeGreaterThanOrEqual(bytes);
      expect(sizeClass(bytes)).toBeLessThanOrEqual(Math.max(512, bytes * 1.25));
      expect(sizeClass(bytes) % 256).toBe(0);
    }
  });

  it("hands a freed buffer out again and takes a second free for an error", () => {
    const pool = new MemoryPool(source());
    const a = pool.alloc(1000);
    expect(pool.free(a)).toBe(true);
    expect(pool.free(a)).toBe(false);
    expect(pool.alloc(1000)).toBe(a);
    expect([pool.liveBytes, pool.heldBytes]).toEqual([1024, 1024]);
  });

  it("gives kept buffers back before it reports that memory is out", () => {
    const { taken, ...rest } = source();
    const pool = new MemoryPool(rest);
    for (const bytes of [300, 3000, 30000]) pool.free(pool.alloc(bytes));
    expect(taken.length).toBe(3);
    pool.alloc(300000);
    expect(taken.length).toBe(1);
    expect(pool.heldBytes).toBe(pool.liveBytes);
  });
});
