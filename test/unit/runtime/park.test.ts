/** [test/unit/runtime] Buffers that give their memory back and take it again, on every driver: the same tensors, their contents or zeros, launches as before. */
import { describe, expect, it } from "vitest";
import { cdiv, inout, kernel, load, pid, store, tensor, tile } from "../../../dsl/index.ts";
import { readTensor, tensorFrom } from "../../../runtime/index.ts";
import { MemoryPool } from "../../../runtime/memory-pool.ts";
import { describeDevices } from "../../support/devices.ts";

const addTo = kernel(
  {
    name: "add_to",
    params: { x: tensor("f32", "N"), y: inout("f32", "N") },
    config: { B: 4 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y }, { B }) => {
    store(y, [tile(pid(0), B)], load(y, [tile(pid(0), B)]) + load(x, [tile(pid(0), B)]));
  },
);

await describeDevices("parked buffers", (device) => {
  it("come back with their contents, under the tensors that were there", async () => {
    const x = tensorFrom(device, "f32", [4], new Float32Array([1, 2, 3, 4]));
    const y = tensorFrom(device, "f32", [4], new Float32Array([10, 20, 30, 40]));
    device.launch(addTo, { x, y });
    const parked = await device.park([x.buffer, y.buffer], true);
    expect(parked.bytes).toBe(x.buffer.bytes + y.buffer.bytes);
    expect(parked.hostBytes).toBe(parked.bytes);
    expect(() => device.launch(addTo, { x, y })).toThrow(/freed/);
    expect(() => device.free(x.buffer)).toThrow("TW3006");
    const other = tensorFrom(device, "f32", [4], new Float32Array([9, 9, 9, 9])); // takes memory meanwhile
    parked.restore();
    expect(() => parked.restore()).toThrow(RangeError);
    expect([...(await readTensor(y))]).toEqual([11, 22, 33, 44]);
    device.launch(addTo, { x, y });
    expect([...(await readTensor(y))]).toEqual([12, 24, 36, 48]);
    expect([...(await readTensor(other))]).toEqual([9, 9, 9, 9]);
    for (const { buffer } of [x, y, other]) device.free(buffer);
  });

  it("come back as zeros where nothing was kept", async () => {
    const x = tensorFrom(device, "f32", [4], new Float32Array([1, 2, 3, 4]));
    const parked = await device.park([x.buffer], false);
    expect(parked.hostBytes).toBe(0);
    parked.restore();
    expect([...(await readTensor(x))]).toEqual([0, 0, 0, 0]);
    device.free(x.buffer);
  });
});

describe("a pool", () => {
  it("holds nothing for what is parked, and takes all back or nothing", () => {
    let room = 3;
    const held = new Set<object>();
    const pool = new MemoryPool({
      alloc: (bytes) => {
        if (room === 0) throw new Error("full");
        room--;
        const buffer = { bytes, place: room } as never;
        held.add(buffer);
        return buffer;
      },
      release: () => {
        room++;
      },
    });
    const [a, b] = [pool.alloc(256), pool.alloc(512)];
    expect(pool.heldBytes).toBe(768);
    pool.park(a);
    pool.park(b);
    expect([pool.heldBytes, pool.liveBytes, room]).toEqual([0, 0, 3]);
    expect(() => pool.park(a)).toThrow(RangeError);
    pool.unpark(a);
    expect([pool.heldBytes, pool.liveBytes, pool.isLive(a), pool.isLive(b)]).toEqual([
      256,
      256,
      true,
      false,
    ]);
    room = 0;
    expect(() => pool.unpark(b)).toThrow("full");
    expect(pool.free(a)).toBe(true);
  });
});
