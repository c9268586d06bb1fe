/** [test/support] The null runner behind a gate: steps are done when a test lets them, so that what happens meanwhile is certain. */
import type { StepOutput, StepPlan, StepRunner } from "../../engine/core.ts";
import { NullRunner } from "../../engine/null-runner.ts";

export class GatedRunner implements StepRunner {
  readonly #inner: NullRunner;
  readonly #waiting: (() => void)[] = [];
  #isOpen = false;
  /** Steps that were submitted. */
  numSubmitted = 0;

  constructor(vocabSize: number) {
    this.#inner = new NullRunner(vocabSize);
  }

  /** Lets `count` of the steps that wait be done, oldest first. */
  release(count = 1): void {
    for (const go of this.#waiting.splice(0, count)) go();
  }

  /** No step waits from now on. */
  open(): void {
    this.#isOpen = true;
    this.release(this.#waiting.length);
  }

  async submit(plan: StepPlan): Promise<StepOutput[]> {
    this.numSubmitted++;
    const outputs = this.#inner.submit(plan);
    if (!this.#isOpen) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    return outputs;
  }

  close(): void {
    if (this.#waiting.length > 0) throw new Error("closed with a step in flight");
  }
}
