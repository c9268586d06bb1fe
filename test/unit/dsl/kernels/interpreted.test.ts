/** [test/unit/dsl] Every kernel, for every sample, in the interpreter with all checks, against its naive reference. */
import { describe, it } from "vitest";
import { KERNEL_ENTRIES, makeSample } from "../../../../dsl/kernels/catalogue.ts";
import { interpretSample } from "../../../support/interpret-sample.ts";
import { expectOutputs } from "../../../support/tolerance.ts";

describe.each(KERNEL_ENTRIES.map((entry) => ({ name: entry.kernel.name, entry })))(
  "$name",
  ({ entry }) => {
    it.each(entry.samples.map((problem) => ({ title: problem.name, problem })))(
      "agrees with its reference: $title",
      ({ problem }) => {
        const sample = makeSample(entry, problem);
        expectOutputs(sample, interpretSample(sample));
      },
    );
  },
);
