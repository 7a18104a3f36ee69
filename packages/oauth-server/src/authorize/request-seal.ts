import { z } from "zod";
import type { KeyVault } from "../keys/generate-signing-key.js";
import { isUuid, type Uuid } from "../uuid.js";
import type { AuthorizationRequest } from "./authorization-request.js";

/** An authorization request on its way through the pages. */
export interface OpenRequest extends AuthorizationRequest {
  /** The application, or the person, that step 2 showed (`loginLabel`); null on step 1. */
  readonly shown_application_id: string | null;
  /** Whether it is answered as a person who has signed in, rather than as an application. */
  readonly as_person?: boolean | undefined;
}

/**
 * Requests travel in the pages' forms, encrypted and bound to the browser, and leave no row behind until a person answers:
 * whoever opens `/authorize` a million times stores nothing here, and any replica can go on.
 */
export interface RequestSeal {
  seal(request: OpenRequest, browserSecret: string): Promise<string>;
  /** Null for what was not sealed here for this browser. It does not look at the time. */
  open(sealed: string, browserSecret: string): Promise<OpenRequest | null>;
}

/** A seal under a keyring. @param bindingsOf the first binds, all are recognised */
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

/** The id that a sealed request begins with; null when it has none. */
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
  scopes: z.array(z.string()).nullable(),
  audience: z.array(z.string()),
  expires_at: z.coerce.date(),
  shown_application_id: z.string().nullable(),
  as_person: z.boolean().optional(),
});
