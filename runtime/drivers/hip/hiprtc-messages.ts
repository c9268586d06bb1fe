/** [runtime/drivers] What is said between a program and the process that runs hiprtc: a request in, a head line and a code object out. */

export interface HiprtcRequest {
  readonly hiprtc: string;
  readonly before: readonly string[];
  readonly text: string;
  /** Name in the compiler's messages. */
  readonly name: string;
  readonly options: readonly string[];
}

/** First line of the answer, as JSON; `bytes` of code follow it. */
export interface HiprtcHead {
  readonly version: string;
  /** 0: compiled. */
  readonly status: number;
  readonly log: string;
  readonly bytes: number;
}

export interface HiprtcAnswer extends Omit<HiprtcHead, "bytes"> {
  readonly code: Uint8Array;
}

export function encodeAnswer({ code, ...head }: HiprtcAnswer): Uint8Array {
  const line: HiprtcHead = { ...head, bytes: code.byteLength };
  return Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`, "utf8"), code]);
}

/** @returns undefined where the bytes are no whole answer */
export function decodeAnswer(bytes: Uint8Array): HiprtcAnswer | undefined {
  const end = bytes.indexOf(10);
  if (end < 0) return undefined;
  try {
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as HiprtcHead;
    const code = new Uint8Array(bytes.subarray(end + 1));
    const { version, status, log } = head;
    return code.byteLength === head.bytes ? { version, status, log, code } : undefined;
  } catch {
    return undefined;
  }
}
