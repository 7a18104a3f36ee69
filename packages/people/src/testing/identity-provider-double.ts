import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

type Change = Readonly<Record<string, unknown>>;

/** Defects of the tokens to issue. */
export interface TokenDefects {
  readonly claims?: Change;
  /** `none`, the client's secret, another key under the published name, or an unpublished key. */
  readonly key?: "none" | "secret" | "other" | "unpublished";
  /** Members of the UserInfo response. */
  readonly userInfo?: Change;
}

/** An OpenID Connect provider without sockets; it is reached only through `fetch`. */
export async function createIssuer(
  clock: () => Date,
  issuer = "https://idp.example",
  client = { id: "wealth", secret: "s3cret-of-the-client" },
) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const other = await generateKeyPair("ES256");
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "ES256", use: "sig" }] };
  const codes = new Map<string, { readonly nonce: string; readonly challenge: string; readonly claims: Change }>();
  const asked: string[] = [];
  let [isUnavailable, metadata, spoilt]: [boolean, Change, TokenDefects] = [false, {}, {}];
  const now = () => Math.floor(clock().getTime() / 1_000);

  const sign = async (claims: JWTPayload, { key }: TokenDefects, typ = "JWT") => {
    if (key === "none") {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      return `${part({ alg: "none", typ })}.${part(claims)}.`;
    }
    if (key === "secret")
      return new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ }).sign(Buffer.from(client.secret));
    const kid = key === "unpublished" ? "2" : "1";
    return new SignJWT(claims).setProtectedHeader({ alg: "ES256", typ, kid }).sign(key ? other.privateKey : privateKey);
  };
  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

  async function answer(url: string, init?: { readonly body?: unknown; readonly headers?: unknown }) {
    const { pathname } = new URL(url);
    asked.push(pathname);
    if (isUnavailable) throw new Error("connect ECONNREFUSED");
    if (pathname === "/.well-known/openid-configuration")
      return json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        end_session_endpoint: `${issuer}/bye`,
        id_token_signing_alg_values_supported: ["ES256", "HS256", "none"],
        authorization_response_iss_parameter_supported: true,
        ...metadata,
      });
    if (pathname === "/jwks") return json(jwks);
    if (pathname === "/userinfo") return json({ sub: "ada", groups: ["Desk"], ...spoilt.userInfo });
    const form = new URLSearchParams(String(init?.body));
    const code = codes.get(String(form.get("code")));
    codes.delete(String(form.get("code")));
    if (!code) return json({ error: "invalid_grant" }, 400);
    const iat = now();
    const claims = { iss: issuer, aud: client.id, sub: "ada", iat, exp: iat + 300, nonce: code.nonce, ...code.claims };
    const id_token = await sign({ ...claims, ...spoilt.claims }, spoilt);
    return json({ access_token: "a", token_type: "Bearer", expires_in: 60, id_token });
  }

  return {
    issuer,
    client,
    asked,
    fetch: answer as unknown as typeof fetch,
    /** Signs a person in on the provider's page; returns where the browser is redirected. */
    signIn(location: string, claims: Change = {}, change: Readonly<Record<string, string | null>> = {}): URL {
      const { searchParams: asked } = new URL(location);
      const code = randomUUID();
      codes.set(code, { nonce: String(asked.get("nonce")), challenge: String(asked.get("code_challenge")), claims });
      const back = new URL(String(asked.get("redirect_uri")));
      const answer = { code, state: asked.get("state"), iss: issuer, ...change };
      for (const [name, value] of Object.entries(answer))
        if (value !== null) back.searchParams.set(name, String(value));
      return back;
    },
    logoutToken: (change: Change = {}, broken: TokenDefects = {}, typ = "logout+jwt") =>
      sign(
        {
          iss: issuer,
          aud: client.id,
          iat: now(),
          exp: now() + 120,
          jti: randomUUID(),
          sub: "ada",
          events: { "http://schemas.openid.net/event/backchannel-logout": {} },
          ...change,
        },
        broken,
        typ,
      ),
    spoil(change: TokenDefects) {
      spoilt = change;
    },
    describe(change: Change) {
      metadata = change;
    },
    goAway(away = true) {
      isUnavailable = away;
    },
  };
}
