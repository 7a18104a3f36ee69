import { createServer } from "node:http";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import Provider, { type KoaContextWithOIDC } from "oidc-provider";

/** How the provider's next answers are to be wrong. */
export interface Lie {
  /** Claims of the ID token; `undefined` removes one. Signed as usual, unless the token is forged. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signed with a key that is not the published one, under its name. */
  readonly isForged?: boolean;
  /** Parameters of the answer that the browser brings back; null removes one. */
  readonly answer?: Readonly<Record<string, string | null>>;
}

/** A client that is registered with the provider. */
interface CompanyClient {
  readonly id: string;
  readonly secret: string;
  /** The path of its redirect URI. */
  readonly callback: string;
}

/**
 * A company's identity provider: oidc-provider, with one page on which people say who they are. Since it cannot lie on its own, its answers are
 * altered on their way out.
 * @param given.port of 127.0.0.1, on which it listens
 * @param given.consoleUrl of the console whose clients these are
 */
export async function startCompanyIssuer(given: {
  readonly port: string;
  readonly consoleUrl: string;
  readonly clients: readonly CompanyClient[];
}) {
  const issuer = `http://127.0.0.1:${given.port}`;
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const other = await generateKeyPair("ES256");
  const key = { kid: "published", alg: "ES256", use: "sig" };
  const accounts = new Map<string, Readonly<Record<string, unknown>>>();
  const logoutTokens: string[] = [];
  let lie: Lie | null = null;

  const provider = new Provider(issuer, {
    clients: given.clients.map(({ id, secret, callback }) => ({
      client_id: id,
      client_secret: secret,
      id_token_signed_response_alg: "ES256" as const,
      redirect_uris: [given.consoleUrl + callback],
      post_logout_redirect_uris: [`${given.consoleUrl}/console`],
      backchannel_logout_uri: `${given.consoleUrl}/console/sign-in/back-channel-logout`,
      backchannel_logout_session_required: true,
    })),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), ...key }] },
    cookies: { keys: ["a key of a test"] },
    acrValues: ["phr"],
    claims: { openid: ["sub"], profile: ["name", "groups"], email: ["email", "email_verified"] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3_600, IdToken: 600, Interaction: 600, Session: 3_600 },
    features: {
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: askWhetherToLeave },
    },
    // Its own fetch refuses hosts on this machine.
    fetch: async (url, { method, headers, body } = {}) => {
      logoutTokens.push(new URLSearchParams(String(body)).get("logout_token") ?? "");
      return fetch(url, { method, headers, body } as RequestInit);
    },
    interactions: { url: (_, { uid }) => `/who/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts.get(accountId) }) }),
    // Consent for the company's applications has been given for all of its people.
    async loadExistingGrant({ oidc }) {
      const facts = { clientId: oidc.client?.clientId ?? "", accountId: oidc.session?.accountId ?? "" };
      const grant = new provider.Grant(facts);
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context: KoaContextWithOIDC, next) => {
    await next();
    if (lie !== null) await spoil(context, lie);
  });
  const handle = provider.callback();
  const server = createServer(async (request, response) => {
    if (!request.url?.startsWith("/who/")) return handle(request, response);
    if (request.method === "GET") return void response.setHeader("content-type", "text/html").end(loginForm);
    let form = "";
    for await (const chunk of request) form += chunk;
    const { who = "", acr, cancel } = Object.fromEntries(new URLSearchParams(form));
    const wentBack = { error: "access_denied", error_description: "they went back" };
    const login = { accountId: who, ...(acr && { acr }) };
    await provider.interactionFinished(request, response, cancel ? wentBack : { login });
  });
  await new Promise<void>((resolve) => server.listen(Number(given.port), "127.0.0.1", resolve));

  async function spoil({ oidc, response }: KoaContextWithOIDC, { claims, isForged, answer }: Lie): Promise<void> {
    const body = response.body as { id_token?: string } | undefined;
    if (oidc?.route === "token" && body?.id_token && (claims || isForged))
      body.id_token = await signedAnew(body.id_token, { ...claims }, isForged ? other.privateKey : privateKey);
    const location = response.get("location");
    if (!answer || !location?.startsWith(`${given.consoleUrl}/console/sign-in/callback`)) return;
    const url = new URL(location);
    for (const [name, value] of Object.entries(answer))
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    response.set("location", url.href);
  }

  /** The same token with other claims. */
  function signedAnew(token: string, claims: object, by: typeof privateKey): Promise<string> {
    return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(key).sign(by);
  }

  return {
    issuer,
    /** The logout tokens sent so far. */
    logoutTokens,
    /** A logout token like another one, but with a new id, and signed with a key that is not the published one. */
    forgedLogout: (token: string) => signedAnew(token, { jti: "new" }, other.privateKey),
    /** Adds a person of the company, with these claims from now on. */
    employ(who: string, claims: Readonly<Record<string, unknown>>): void {
      accounts.set(who, claims);
    },
    /** Makes it lie from now on; null = it tells the truth. */
    lies(about: Lie | null): void {
      lie = about;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const loginForm = `<!doctype html><title>Company</title><h1>Who are you?</h1><form method="post">
<label>Name <input name="who"></label> <label>Security key <input name="acr" placeholder="phr"></label> <button>Sign in</button> <button name="cancel" value="yes">Go back</button></form>`;

function askWhetherToLeave(context: KoaContextWithOIDC, form: string): void {
  context.body = `<!doctype html><title>Company</title><h1>Leave?</h1>${form}<button form="op.logoutForm" name="logout" value="yes">Leave</button>`;
}
