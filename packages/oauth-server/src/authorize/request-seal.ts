import { type PageLanguage, pageLanguages } from "@org/pages";
import { z } from "zod";
import type { KeyVault } from "../keys/generate-signing-key.js";
import { isUuid, type Uuid } from "../uuid.js";
import type { AuthorizationRequest } from "./authorization-request.js";

/** An authorization request in progress. */
export interface OpenRequest extends AuthorizationRequest {
  /** The application or person that step 2 showed (`loginLabel`); null on step 1. */
  readonly shown_application_id: string | null;
  /** Whether a signed-in person answers it, rather than an application. */
  readonly as_person?: boolean | undefined;
  /** The language that the client asked for; otherwise the browser's counts. */
  readonly language?: PageLanguage | undefined;
}

/**
 * Requests travel in the forms of the pages, encrypted and bound to the browser, and are not stored until a person answers. So
 * a million requests to `/authorize` store nothing, and any replica can continue.
 */
export interface RequestSeal {
  seal(request: OpenRequest, browserSecret: string): Promise<string>;
  /** Null for anything not sealed here for this browser. It does not check the expiry. */
  open(sealed: string, browserSecret: string): Promise<OpenRequest | null>;
}

/** A seal under a keyring. @param bindingsOf the first is used for sealing, all are accepted for opening */
export function createRequestSeal(
  vault: KeyVault,
  bindingsOf: (browserSecret: string) => readonly string[],
): RequestSeal {
  const contextsOf = (requestId: string, browserSecret: string) =>
    bindingsOf(browserSecret).map((binding) => ({ purpose: "authorization-request", row: `${requestId} ${binding}` }));
  const contextOf = (requestId: string, browserSecret: string) =>
    contextsOf(requestId, browserSecret)[0] as { purpose: string; row: string };
  return {
    async seal(request, browserSecret) {
      const sealed = await vault.seal(JSON.stringify(request), contextOf(request.request_id, browserSecret));
      return `${request.request_id}.${sealed}`;
    },
    async open(sealed, browserSecret) {
      const requestId = requestIdOf(sealed);
      if (requestId === null) return null;
      for (const context of contextsOf(requestId, browserSecret)) {
        const text = await vault.open(sealed.slice(requestId.length + 1), context).catch(() => null);
        if (text !== null) return sealedRequest.parse(JSON.parse(text));
      }
      return null;
    },
  };
}

/** The id at the beginning of a sealed request; null when there is none. */
export function requestIdOf(sealed: string): Uuid | null {
  const [id = ""] = sealed.split(".", 1);
  return isUuid(id) && sealed.length > id.length ? id : null;
}

const sealedRequest = z.object({
  request_id: z.string().brand<"Uuid">(),
  client_id: z.string(),
  redirect_uri: z.string(),
  state: z.string().nullable(),
  code_challenge: z.string(),
  dpop_jkt: z.string().optional(),
  scopes: z.array(z.string()).nullable(),
  has_unknown_scopes: z.boolean().optional(),
  audience: z.array(z.string()),
  expires_at: z.coerce.date(),
  shown_application_id: z.string().nullable(),
  as_person: z.boolean().optional(),
  language: z.enum(pageLanguages).optional(),
});
