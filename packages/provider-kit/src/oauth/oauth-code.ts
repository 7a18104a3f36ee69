import { z } from "zod";
import type { ProviderServices } from "../definition.js";
import type { HttpClient } from "../http-client.js";
import { isOutage } from "../outage.js";
import { ReadInterrupted } from "../own-key/read-interrupted.js";
import type { FetchRequest, FetchResult, LoginRequest, LoginStep, ResumeRequest, RevokeRequest } from "../port.js";
import { type CustomerGrant, customerGrant, withBearer } from "./grants.js";
import {
  authorizeUrl,
  exchangeCode,
  type InstitutionClient,
  type OAuthTokens,
  oauthTokens,
  revokeTokens,
} from "./token-endpoint.js";

/** A customer's grant in a call, with an HTTP client that sends its token. */
export interface OpenGrant extends CustomerGrant {
  readonly http: HttpClient;
}

/**
 * Logins by redirect (authorization code with PKCE, RFC 7636), and reads with the tokens of such a login. A connection's `access` is an object with
 * `tokens`, and whatever else the provider needs.
 */
export interface OAuthCode {
  /** The step that sends the customer to the institution. `kept` is JSON that {@link resume} gives back. */
  redirect(request: Pick<LoginRequest, "callback_url" | "callback_state">, kept?: unknown): LoginStep;
  /**
   * Exchanges the code with which a customer returned, and goes on with `enter`. A customer who declined or whose code is refused may go again, and so
   * may one whom a {@link ReadInterrupted} in `enter` refuses.
   * @throws OAuthFailure, HttpFailure
   */
  resume(
    request: Pick<ResumeRequest, "state" | "params" | "callback_url" | "signal">,
    enter: (grant: OpenGrant, kept: unknown) => Promise<LoginStep>,
  ): Promise<LoginStep>;
  /** The grant of a login that goes on, from its tokens. Renewed tokens are only in memory. */
  grantOf(tokens: OAuthTokens, signal: AbortSignal): OpenGrant;
  /**
   * Reads with the grant in `access`. A new refresh token is saved before its access token is used, and comes back as `access` whatever the read came
   * to: {@link ReadInterrupted} ends it as what it says, and any other error after a renewal as `failed`, since a retry is not worth a token.
   */
  fetch(
    request: Pick<FetchRequest, "access" | "saveAccess" | "signal">,
    read: (grant: OpenGrant) => Promise<FetchResult>,
  ): Promise<FetchResult>;
  /** Revokes the tokens of an access, if the institution lets us. */
  revoke(request: Pick<RevokeRequest, "access" | "kept_accesses" | "signal">): Promise<void>;
}

const awaySchema = z.object({ verifier: z.string(), kept: z.unknown() });
const accessSchema = z.looseObject({ tokens: oauthTokens });

/** OAuth with an institution's authorization server. */
export function oauthCode(
  client: InstitutionClient,
  { http, clock, random }: Pick<ProviderServices, "http" | "clock" | "random">,
): OAuthCode {
  const open = (tokens: OAuthTokens, signal: AbortSignal, save: (tokens: OAuthTokens) => Promise<void>): OpenGrant => {
    const grant = customerGrant(client, tokens, { http, clock, signal, save });
    return { ...grant, http: withBearer(http, grant) };
  };
  const grantOf = (tokens: OAuthTokens, signal: AbortSignal) => open(tokens, signal, async () => {});

  return {
    grantOf,

    redirect(request, kept = null) {
      const verifier = Buffer.from(random(32)).toString("base64url");
      return { kind: "redirect", url: authorizeUrl(client, { ...request, verifier }), state: { verifier, kept } };
    },

    async resume({ state, params: { code, error, iss }, callback_url, signal }, enter) {
      const { verifier, kept } = awaySchema.parse(state);
      // A code of another institution must not be sent to this one (RFC 9207, RFC 9700 §4.4).
      if (client.issuer !== undefined && iss !== client.issuer) return { kind: "rejected" };
      if (error !== undefined) return afterError(error);
      if (code === undefined || code === "") return { kind: "rejected" };
      try {
        const answer = await exchangeCode(client, { code, verifier, callback_url }, { http, clock, signal });
        return "refused" in answer ? { kind: "rejected" } : await enter(grantOf(answer.tokens, signal), kept);
      } catch (failure) {
        if (!(failure instanceof ReadInterrupted) || "pending" in failure.end) throw failure;
        const { end } = failure;
        return "refused" in end ? { kind: "rejected" } : { kind: "throttled", retry_after: end.throttled.retry_after };
      }
    },

    async fetch({ access, saveAccess, signal }, read) {
      const { data: known } = accessSchema.safeParse(access);
      if (known === undefined) return { refused: "rejected" };
      const grant = open(known.tokens, signal, (tokens) => saveAccess({ ...known, tokens }));
      const renewed = () => (grant.isRenewed() ? { access: { ...known, tokens: grant.tokens() } } : {});
      try {
        return { ...(await read(grant)), ...renewed() };
      } catch (failure) {
        if (failure instanceof ReadInterrupted) return { ...failure.end, ...renewed() };
        if (!grant.isRenewed() || signal.aborted) throw failure;
        const message = failure instanceof Error ? failure.message : "the read failed";
        return { failed: { message, outage: isOutage(failure) }, ...renewed() };
      }
    },

    async revoke({ access, kept_accesses = [], signal }) {
      const [given, ...kept] = [access, ...kept_accesses].map((one) => accessSchema.safeParse(one).data?.tokens);
      // Whoever revokes one token of a grant may end the others with it (RFC 7009 §2.1).
      const isShared = kept.some(
        (tokens) =>
          tokens?.access_token === given?.access_token ||
          (given?.refresh_token !== null && tokens?.refresh_token === given?.refresh_token),
      );
      if (given !== undefined && !isShared) await revokeTokens(client, given, { http, signal });
    },
  };
}

/**
 * Errors of RFC 6749 §4.1.2.1: those that the customer can change, and those that only the institution or the operator can. They arrive through the
 * customer, who can write anything, so they never count against the institution.
 */
function afterError(error: string): LoginStep {
  const isNotTheirs = [
    ...["server_error", "temporarily_unavailable"],
    ...["invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope"],
  ].includes(error);
  return isNotTheirs ? { kind: "failed", error_code: "InternalError" } : { kind: "rejected" };
}
