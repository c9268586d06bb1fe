/** [test/browser] What the page hands to the test. Types only. */

export interface BrowserResult {
  readonly kernel: string;
  readonly sample: string;
  readonly passed: boolean;
  /** The first places that differ, or the error; empty where passed. */
  readonly message: string;
  /** Largest error as a part of what the tolerance allows. */
  readonly worst: number;
  readonly prepareMs: number;
  readonly runMs: number;
}

export interface BrowserReport {
  readonly device: string;
  readonly results: readonly BrowserResult[];
}
