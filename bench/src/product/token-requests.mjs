import { exchange, requestBytes } from "../measuring/load.mjs";

const MAX_CONNECTIONS = 64;

/** What connections send to `POST /token`, see `load`. Each is a function from a started server to its job. */
export function tokenJobs(credentials) {
  return {
    clientCredentials: clientCredentials(credentials),
    refresh: refreshing(credentials, async (server) => {
      const request = tokenRequest(credentials, { grant_type: "client_credentials" });
      return tokensOf(await exchange(server.port, request)).refresh_token;
    }),
  };
}

/** Requests tokens repeatedly. */
export function clientCredentials(credentials) {
  const bytes = tokenRequest(credentials, { grant_type: "client_credentials" });
  return async () => () => ({ next: () => bytes, check: tokensOf });
}

/**
 * Each connection has its own grant and always sends the refresh token of the previous answer. @param firstToken returns the first refresh token of a
 * connection, given a started server
 */
export function refreshing(credentials, firstToken) {
  return async (server) => {
    const waiting = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => firstToken(server)));
    return (index = 0) => ({
      readsEvery: true,
      next: () => tokenRequest(credentials, { grant_type: "refresh_token", refresh_token: waiting[index] }),
      check(answer) {
        waiting[index] = tokensOf(answer).refresh_token;
      },
    });
  };
}

/** The bytes of a `/token` request of an application that authenticates in the form. */
export function tokenRequest({ client_id, client_secret }, fields) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return requestBytes(
    "POST",
    "/token",
    headers,
    new URLSearchParams({ ...fields, client_id, client_secret }).toString(),
  );
}

function tokensOf({ status, body }) {
  const tokens = status === 200 ? JSON.parse(body) : {};
  if (tokens.access_token?.split(".").length !== 3) throw new Error(`no tokens: ${status} ${body}`);
  return tokens;
}
