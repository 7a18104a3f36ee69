import { z } from "zod";
import type { CredentialField } from "../credential-field.js";
import type { ProviderServices } from "../definition.js";
import { HttpFailure } from "../http-client.js";
import type { BankProvider, FetchResult, LoginStep } from "../port.js";
import type { KeyAuth, OwnKey } from "./key-auth.js";
import type { OwnReading, Sender } from "./own-reading.js";
import { ReadInterrupted } from "./read-interrupted.js";

/** What is stored of a connection. */
const accessSchema = z.object({ key: z.record(z.string(), z.string()), user_key: z.string().min(1) });

/** Logins by a key that customers type. */
export function loginByKey<Field extends string>(
  given: {
    readonly auth: KeyAuth<Field>;
    readonly credentials: { readonly fields: Readonly<Record<Field, Omit<CredentialField, "name" | "required">>> };
  },
  { http }: Pick<ProviderServices, "http">,
  reading: OwnReading,
): Pick<BankProvider, "credentialFields" | "login" | "fetch"> {
  const stated = Object.entries<Omit<CredentialField, "name" | "required">>(given.credentials.fields);
  const fields = stated.map(([name, field]): CredentialField => ({ autocomplete: "off", ...field, name }));
  const names = fields.map(({ name }) => name);
  const senderOf = (key: OwnKey): Sender => {
    const of = names.map((name) => key[name] ?? "");
    return { auth: given.auth as KeyAuth, key, http, of };
  };

  return {
    credentialFields: () => fields,

    async login({ fields: typed, provider_ref, signal }): Promise<LoginStep> {
      const key = Object.fromEntries(names.map((name) => [name, (typed[name] ?? "").trim()]));
      if (names.some((name) => key[name] === "")) return { kind: "rejected" };
      try {
        const user_key = await reading.who(senderOf(key), { provider_ref, signal });
        const access = { key, user_key };
        return { kind: "authenticated", user_key, user_key_is_final: true, access, consent_expires_at: null };
      } catch (error) {
        return stepOf(error);
      }
    },

    async fetch(request): Promise<FetchResult> {
      const known = accessSchema.safeParse(request.access).data;
      if (known === undefined) return { refused: "rejected" };
      try {
        return { ...(await reading.fetch(senderOf(known.key), known.user_key, request)), consent_expires_at: null };
      } catch (error) {
        if (error instanceof ReadInterrupted) return error.end;
        throw error;
      }
    },
  };
}

/** @throws the error, if it is a failure and no answer of the institution */
function stepOf(error: unknown): LoginStep {
  // No key has characters that cannot be sent.
  if (error instanceof HttpFailure && error.code === "unsendable") return { kind: "rejected" };
  if (!(error instanceof ReadInterrupted)) throw error;
  const { end } = error;
  if ("throttled" in end) return { kind: "throttled", retry_after: end.throttled.retry_after };
  if ("refused" in end && end.refused === "rejected") return { kind: "rejected" };
  return { kind: "failed", error_code: "UserInteractionNeeded" };
}
