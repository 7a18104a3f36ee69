import {
  type Authenticate,
  type Authentication,
  type BearerChallenge,
  challengeHeader,
  type Exchange,
  refusalWords,
} from "@org/http";
import type { EndpointFacts } from "./endpoint.js";
import { RestError } from "./failure.js";
import type { Authenticator } from "./serve-endpoint.js";

type EndpointNeeds = Pick<EndpointFacts, "scopes" | "holdsLimit">;

/** Authenticates programs: requires an access token with one of the endpoint's scopes (RFC 6750). */
export function createBearerAuthenticator(deps: {
  readonly authenticate: Authenticate;
  /** Issuer and base address, without trailing slash. */
  readonly publicUrl: string;
}): Authenticator {
  const resourceMetadata = `${deps.publicUrl}/.well-known/oauth-protected-resource`;
  return (endpoint, family, exchange) =>
    exchange.andThen(deps.authenticate(exchange.request), (result) => {
      const principal = principalOf(result, endpoint, exchange);
      const who = family.whoOf(principal, { trace_id: exchange.traceId, address: exchange.address });
      if (who === null) throw unauthorized("this endpoint is not for applications of this kind", endpoint, exchange);
      return who;
    });

  /** @throws RestError UNAUTHENTICATED without a valid token, UNAUTHORIZED when it has none of the endpoint's scopes, or is limited to clients */
  function principalOf(result: Authentication, endpoint: EndpointNeeds, exchange: Exchange) {
    if ("refusal" in result) {
      const { refusal, fault } = result;
      throw new RestError(
        "UNAUTHENTICATED",
        refusalWords(refusal, fault),
        challenge(refusal, endpoint, exchange, fault),
      );
    }
    const { principal } = result;
    exchange.principal = principal;
    if (!endpoint.scopes.some((scope) => principal.scopes.has(scope)))
      throw unauthorized(`the scope ${endpoint.scopes.join(" or ")} is required`, endpoint, exchange);
    if (principal.client_refs !== undefined && !endpoint.holdsLimit)
      throw unauthorized(
        "an application that is limited to some clients reaches nothing that is of all",
        endpoint,
        exchange,
      );
    return principal;
  }

  function unauthorized(message: string, endpoint: EndpointNeeds, exchange: Exchange): RestError {
    return new RestError("UNAUTHORIZED", message, challenge("insufficient_scope", endpoint, exchange));
  }

  function challenge(
    error: BearerChallenge["error"],
    { scopes: [scope] }: EndpointNeeds,
    { request }: Exchange,
    fault?: string,
  ) {
    const { authorization } = request.headers;
    return {
      "WWW-Authenticate": challengeHeader({ error, scopes: [scope], resourceMetadata, authorization, fault }),
    };
  }
}
