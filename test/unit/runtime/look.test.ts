/** [test/unit/runtime] What is seen of a driver without opening it: the same errors as where it opens, and nothing of its name alone. */
import { expect, it } from "vitest";
import { DeviceError } from "../../../dsl/index.ts";
import { checkDriver, openDevice } from "../../../runtime/index.ts";

/** Where the library does not load, or has no GPU. */
const ABSENT = /TW(3201|3202|3250|3251)/;

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => "none",
    (error: unknown) => (error instanceof DeviceError ? error.message : String(error)),
  );
}

it.each(["cuda", "hip"])("%s is seen to be absent without opening it", async (name) => {
  const opened = await codeOf(openDevice(name, { compiler: "optional" }).then((d) => d.close()));
  const looked = await codeOf(checkDriver(name));
  expect(looked).toBe(ABSENT.test(opened) || looked !== "none" ? opened : "none");
});

it("is a name that exists", async () => {
  await expect(checkDriver("tpu")).rejects.toThrow("TW3200");
  for (const name of ["auto", "null", "interpreter"]) await checkDriver(name);
});
