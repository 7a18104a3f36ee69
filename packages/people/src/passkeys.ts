import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { z } from "zod";
import { readUserHandle, userHandle } from "./bearer-text.js";
import { PeopleError } from "./people-error.js";
import type { Passkey, Person } from "./ports/people-store.js";

/** How long a person may take to use their key. */
export const CEREMONY_MS = 5 * 60_000;

/** Accepted key algorithms, by their COSE numbers (RFC 9053, RFC 8812): those of common authenticators, elliptic curves first. */
const [EDDSA, ES256, RS256] = [-8, -7, -257];
const ALGORITHMS = [EDDSA, ES256, RS256];

/** Loaded on first use: it includes certificate parsing, and would be a large part of what a server loads at start. */
const webAuthn = () => import("@simplewebauthn/server");

/** Passkeys of a site (WebAuthn Level 3): discoverable, with user verification each time. */
export function createPasskeys(publicUrl: string) {
  const { origin, hostname } = new URL(publicUrl);
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };
  return {
    /** Options for a browser to create a key. @param known the person's existing keys */
    optionsToCreate: async (
      person: Pick<Person, "tenant_id" | "person_id" | "email" | "name">,
      known: readonly Passkey[],
    ): Promise<PublicKeyCredentialCreationOptionsJSON> =>
      (await webAuthn()).generateRegistrationOptions({
        rpName: "Wealth Connect",
        rpID: hostname,
        userID: userHandle(person),
        userName: person.email,
        userDisplayName: person.name,
        timeout: CEREMONY_MS,
        attestationType: "none",
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      }),

    /** Options for a browser to sign. @param only the accepted keys; without them any key of this site */
    optionsToSign: async (only: readonly Passkey[] = []): Promise<PublicKeyCredentialRequestOptionsJSON> =>
      (await webAuthn()).generateAuthenticationOptions({
        rpID: hostname,
        timeout: CEREMONY_MS,
        userVerification: "required",
        allowCredentials: only.map(({ credential_id }) => ({ id: credential_id })),
      }),

    /** Verifies a new key. @throws PeopleError `refused` */
    async created(answer: unknown, challenge: string): Promise<Omit<Passkey, "person_id" | "name" | "created_at">> {
      const response = read(registrationAnswer, answer) as RegistrationResponseJSON;
      await requireNoChain(response);
      const { verifyRegistrationResponse } = await webAuthn();
      const result = await verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        supportedAlgorithmIDs: ALGORITHMS,
        ...expected,
      }).catch(refused);
      if (!result.verified) throw new PeopleError("refused", "the registration was not verified");
      const { credential, credentialBackedUp } = result.registrationInfo;
      return {
        credential_id: credential.id,
        public_key: credential.publicKey,
        counter: credential.counter,
        transports: credential.transports ?? [],
        is_backed_up: credentialBackedUp,
        used_at: null,
      };
    },

    /** The key and person that an answer claims; nothing is verified. @throws PeopleError `refused` */
    claimed(answer: unknown) {
      const { id, response } = read(signInAnswer, answer);
      const person = readUserHandle(response.userHandle);
      if (!person) throw new PeopleError("refused", "the user handle is none of ours");
      return { credential_id: id, ...person };
    },

    /** Verifies a signature with a stored key. @throws PeopleError `refused` */
    async signed(
      answer: unknown,
      challenge: string,
      passkey: Passkey,
    ): Promise<{ counter: number; is_backed_up: boolean }> {
      const response = read(signInAnswer, answer) as AuthenticationResponseJSON;
      const { credential_id, public_key, counter } = passkey;
      const { verifyAuthenticationResponse } = await webAuthn();
      const result = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        ...expected,
        credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter },
      }).catch(refused);
      if (!result.verified) throw new PeopleError("refused", "the signature was not verified");
      const { newCounter, credentialBackedUp } = result.authenticationInfo;
      return { counter: newCounter, is_backed_up: credentialBackedUp };
    },
  };
}

/**
 * No attestation is requested, and browsers remove it, except for self attestation (WebAuthn Level 3 §5.1.3). A certificate
 * chain contains URLs of revocation lists, and fetching them would be a request of any size to any address (SSRF).
 */
async function requireNoChain({ response: { attestationObject } }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  let isBare = false;
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const format = attestation.get("fmt");
    isBare = format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
  } catch (cause) {
    refused(cause);
  }
  if (!isBare) throw new PeopleError("refused", "the key came with an attestation, which nobody has asked for");
}

function refused(cause: unknown): never {
  throw new PeopleError("refused", cause instanceof Error ? cause.message : "not verified", { cause });
}

function read<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const result = schema.safeParse(answer);
  if (!result.success) throw new PeopleError("refused", "not an answer of WebAuthn", { cause: result.error });
  return result.data;
}

const base64url = z
  .string()
  .max(20_000)
  .regex(/^[A-Za-z0-9_-]*$/);
const credential = { id: base64url.min(1).max(1_400), rawId: base64url, type: z.literal("public-key") };
const extensions = { clientExtensionResults: z.looseObject({}), authenticatorAttachment: z.string().max(40).nullish() };

/** RegistrationResponseJSON (WebAuthn Level 3 §5.1), reduced to the members in use. */
const registrationAnswer = z.looseObject({
  ...credential,
  ...extensions,
  response: z.looseObject({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});

/** AuthenticationResponseJSON. */
const signInAnswer = z.looseObject({
  ...credential,
  ...extensions,
  response: z.looseObject({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.max(100).optional(),
  }),
});
