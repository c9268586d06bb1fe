/** [test/support] A certificate that its own key has signed, for localhost and 127.0.0.1: DER by hand, so that tests need no other program. */
import { generateKeyPairSync, sign } from "node:crypto";

export interface SelfSigned {
  /** PEM texts. */
  readonly key: string;
  readonly cert: string;
}

const OID = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  subjectAltName: [0x55, 0x1d, 0x11],
} as const;
const DAY_MS = 86_400_000;

/** Tag, length, content. @source ITU-T X.690, 8.1 */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = (bytes: readonly number[]) => der(0x06, Buffer.from(bytes));
const time = (at: number) => {
  const text = new Date(at)
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, "")
    .slice(2);
  return der(0x17, Buffer.from(text));
};

/** Valid from yesterday until tomorrow. @source RFC 5280, 4.1 */
export function selfSigned(): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const commonName = sequence(oid(OID.commonName), der(0x0c, Buffer.from("localhost")));
  const name = sequence(der(0x31, commonName));
  const names = sequence(
    der(0x82, Buffer.from("localhost")),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const extension = sequence(oid(OID.subjectAltName), der(0x04, names));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign("sha256", body, privateKey);
  const cert = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = cert
    .toString("base64")
    .replaceAll(/(.{64})/g, "$1\n")
    .trimEnd();
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
