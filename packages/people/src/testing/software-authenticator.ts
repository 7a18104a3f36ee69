import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

/** The options that a page passes to `navigator.credentials`, as far as they are used here. */
interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string };
  readonly user: { readonly id: string };
}

/** Defects of an answer. */
interface Spoilt {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isUserVerified?: boolean;
  readonly counter?: number;
  readonly type?: string;
  /** Format of the attestation; `none` by default. */
  readonly format?: string;
}

/** An authenticator with an ES256 key (WebAuthn Level 3 §6), which answers in the browser's JSON format. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const { x, y } = publicKey.export({ format: "jwk" }) as { x: string; y: string };
  let userHandle = "";

  const clientData = (type: string, challenge: string, spoilt: Spoilt) =>
    Buffer.from(
      JSON.stringify({ type: spoilt.type ?? type, challenge, origin: spoilt.origin ?? origin, crossOrigin: false }),
    );
  const authenticatorData = (rpId: string, flags: number, counter: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), count, rest]);
  };
  const flagsOf = ({ isUserVerified = true }: Spoilt) => 0x01 | (isUserVerified ? 0x04 : 0);
  const credential = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };

  return {
    id: credential.id,

    /** `navigator.credentials.create`. */
    create(options: CreationOptions, spoilt: Spoilt = {}) {
      userHandle = options.user.id;
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
        Buffer.from(x, "base64url"),
        Buffer.from([0x22, 0x58, 0x20]),
        Buffer.from(y, "base64url"),
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const rpId = spoilt.rpId ?? options.rp.id ?? "";
      const data = authenticatorData(rpId, flagsOf(spoilt) | 0x40, spoilt.counter ?? 0, attested);
      const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
      const attestation = Buffer.concat([
        ...[Buffer.from([0xa3]), text("fmt"), text(spoilt.format ?? "none"), text("attStmt"), Buffer.from([0xa0])],
        ...[text("authData"), Buffer.from([0x58, data.length]), data],
      ]);
      const clientDataJSON = clientData("webauthn.create", options.challenge, spoilt).toString("base64url");
      const response = {
        clientDataJSON,
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      };
      return { ...credential, response, clientExtensionResults: {} };
    },

    /** `navigator.credentials.get`. */
    sign(options: { readonly challenge: string; readonly rpId?: string }, spoilt: Spoilt = {}) {
      const json = clientData("webauthn.get", options.challenge, spoilt);
      const data = authenticatorData(spoilt.rpId ?? options.rpId ?? "", flagsOf(spoilt), spoilt.counter ?? 0);
      const signed = Buffer.concat([data, createHash("sha256").update(json).digest()]);
      const response = {
        clientDataJSON: json.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: createSign("sha256").update(signed).sign(privateKey).toString("base64url"),
        userHandle,
      };
      return { ...credential, response, clientExtensionResults: {} };
    },
  };
}
