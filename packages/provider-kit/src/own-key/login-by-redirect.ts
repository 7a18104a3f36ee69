import { z } from "zod";
import type { ProviderServices } from "../definition.js";
import type { HttpClient } from "../http-client.js";
import { consentEnd } from "../oauth/grants.js";
import { oauthCode } from "../oauth/oauth-code.js";
import type { InstitutionClient } from "../oauth/token-endpoint.js";
import type { BankProvider, BankRequest } from "../port.js";
import type { OwnReading, Sender } from "./own-reading.js";

/** What is stored of a connection, besides its tokens. `session` names the login for the rate limits: before `who` nothing else does. */
const accessSchema = z.looseObject({ user_key: z.string().min(1), session: z.string().min(1) });

/**
 * Logins at the institution's own page.
 * @param clientOf who we are there, by the `provider_ref` of a row
 */
export function loginByRedirect(
  clientOf: (provider_ref: string | null) => InstitutionClient,
  services: Pick<ProviderServices, "http" | "clock" | "random">,
  reading: OwnReading,
): Pick<BankProvider, "credentialFields" | "login" | "resume" | "fetch" | "revoke"> {
  const at = ({ provider_ref, signal }: Pick<BankRequest, "provider_ref" | "signal">) => {
    signal.throwIfAborted();
    return oauthCode(clientOf(provider_ref), services);
  };
  /** A grant's HTTP client adds the token by itself. */
  const senderOf = (http: HttpClient, name: string): Sender => ({
    auth: (request) => request,
    key: {},
    http,
    of: [name],
  });

  return {
    credentialFields: () => [],
    login: async (request) => at(request).redirect(request),
    resume: async (request) =>
      at(request).resume(request, async ({ http, tokens }) => {
        const session = Buffer.from(services.random(16)).toString("hex");
        const user_key = await reading.who(senderOf(http, session), request);
        const consent_expires_at = consentEnd(tokens(), services.clock());
        const access = { tokens: tokens(), user_key, session };
        return { kind: "authenticated", user_key, user_key_is_final: true, access, consent_expires_at };
      }),
    async fetch(request) {
      const known = accessSchema.safeParse(request.access).data;
      if (known === undefined) return { refused: "rejected" };
      return at(request).fetch(request, async ({ http, tokens }) => ({
        ...(await reading.fetch(senderOf(http, known.session), known.user_key, request)),
        consent_expires_at: consentEnd(tokens(), services.clock()),
      }));
    },
    revoke: async (request) => at(request).revoke(request),
  };
}
