/** [test/support] The interpreter with streams and capture: launches of a capture are written down and run at each replay, as on a GPU. */
import type { Enqueue } from "../../runtime/backend.ts";
import type { DeviceInfo, Graph, Stream } from "../../runtime/device.ts";
import { InterpreterBackend } from "../../runtime/drivers/interpreter/device.ts";

export class CapturingBackend extends InterpreterBackend {
  override info: DeviceInfo = { ...new InterpreterBackend().info };
  /** Launches that ran one by one, and replays of graphs. */
  launches = 0;
  replays = 0;
  #captured: Enqueue[] | undefined;

  override enqueue(work: Enqueue): void {
    if (this.#captured === undefined) {
      this.launches++;
      super.enqueue(work);
      return;
    }
    // Arrays of a launch are reused for the next one.
    const { tensors, words } = work;
    this.#captured.push({ ...work, tensors: [...tensors], words: words.slice() });
  }

  capture(record: (stream: Stream) => void): Graph {
    const captured: Enqueue[] = [];
    this.#captured = captured;
    try {
      record({ driver: "interpreter" });
    } finally {
      this.#captured = undefined;
    }
    return {
      launch: () => {
        this.replays++;
        for (const work of captured) super.enqueue(work);
      },
      close: () => {},
    };
  }
}
