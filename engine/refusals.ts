/** [engine] What an engine says to requests that it does not take. No checks: those are where what they check is. */
import { RequestError } from "../dsl/index.ts";

/** @param seen why: closed, failed, or started again */
export function takesNone(seen: string): RequestError {
  return new RequestError(
    {
      code: "TW4111",
      message: "the engine takes no more requests",
      seen,
      expected: "an open engine",
      remedy: "load it again",
    },
    503,
  );
}

export function sleeps(): RequestError {
  return new RequestError(
    {
      code: "TW4122",
      message: "the engine sleeps",
      seen: "a request before it was woken",
      expected: "an engine that is awake",
      remedy: "wake it first: engine.wake(), POST /wake_up",
    },
    503,
  );
}

/** To who sent it to sleep. */
export function calledOff(): RequestError {
  return new RequestError(
    {
      code: "TW4123",
      message: "the engine was woken before it slept",
      seen: "a call to wake it while it waited for requests that run",
      expected: "sleep that nobody calls off",
      remedy: "send it to sleep again, or with mode=abort, which does not wait",
    },
    409,
  );
}

export function refused(
  code: "TW4113" | "TW4115" | "TW4119",
  message: string,
  seen: string,
  expected: string,
  param: string | null = null,
): RequestError {
  return new RequestError(
    { code, message, seen, expected, remedy: "correct the request" },
    400,
    param,
  );
}
