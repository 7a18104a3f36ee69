import { ACCESS_TOKEN_SECONDS } from "./access-token.js";

/** The successful answer of the token endpoint (RFC 6749 §5.1, S1 §5.6). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Puts the answer together. */
export function tokenResponse(accessToken: string, refreshToken: string, scopes: readonly string[]): TokenResponse {
  return {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken,
    scope: scopes.join(" "),
  };
}
