import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A certificate and its private key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** What a certificate is for. Names that are IPv4 addresses are encoded as addresses. */
export interface CertificateRequest {
  readonly names: readonly string[];
  /** Default: one day ago. */
  readonly not_before?: Date;
  /** Default: in ten years. */
  readonly not_after?: Date;
}

/** A certificate authority for a test; clients must trust `cert`. */
export interface Authority {
  readonly cert: string;
  issue(request: CertificateRequest): KeyPair;
}

const day = 24 * 60 * 60_000;
const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));

/** Creates an authority (RFC 5280, P-256), so that the repository contains no private key. */
export function createAuthority(name = "Stand-in authority"): Authority {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const authority = { name, key: keys.privateKey };
  const isAuthority = extension("2.5.29.19", sequence(tagged(0x01, Buffer.from([0xff]))), true);
  return {
    cert: certificate(authority, name, keys.publicKey, validity({}), [isAuthority]),
    issue(request) {
      const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const usages = sequence(oid("1.3.6.1.5.5.7.3.1"), oid("1.3.6.1.5.5.7.3.2"));
      const extensions = [
        extension("2.5.29.37", usages),
        extension("2.5.29.17", sequence(...request.names.map(alternativeName))),
      ];
      return {
        cert: certificate(authority, request.names[0] ?? "nobody", own.publicKey, validity(request), extensions),
        key: own.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      };
    },
  };
}

function certificate(
  issuer: { name: string; key: KeyObject },
  subject: string,
  publicKey: KeyObject,
  valid: Buffer,
  extensions: readonly Buffer[],
): string {
  const version = tagged(0xa0, tagged(0x02, Buffer.from([2])));
  const serial = tagged(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)]));
  const body = sequence(
    version,
    serial,
    ecdsaWithSha256,
    commonName(issuer.name),
    valid,
    commonName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = tagged(0x03, Buffer.from([0]), sign("sha256", body, issuer.key));
  const lines = sequence(body, ecdsaWithSha256, signature)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function validity({ not_before, not_after }: Partial<CertificateRequest>): Buffer {
  const now = Date.now();
  return sequence(time(not_before ?? new Date(now - day)), time(not_after ?? new Date(now + 3650 * day)));
}

/** RFC 5280, 4.1.2.5: two digits for the year until 2049, four from 2050 on. */
function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/\.\d+Z$|[-:T]/g, "");
  const isShort = at.getUTCFullYear() < 2050;
  return tagged(isShort ? 0x17 : 0x18, Buffer.from(`${isShort ? digits.slice(2) : digits}Z`));
}

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(oid("2.5.4.3"), tagged(0x0c, Buffer.from(name)))));
}

function alternativeName(name: string): Buffer {
  return /^[\d.]+$/.test(name)
    ? tagged(0x87, Buffer.from(name.split(".").map(Number)))
    : tagged(0x82, Buffer.from(name));
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [tagged(0x01, Buffer.from([0xff]))] : [];
  return sequence(oid(id), ...critical, tagged(0x04, value));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const low = value & 0x7f;
  return value < 128 ? [low] : [...base128(value >> 7).map((digit) => digit | 0x80), low];
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
