import { createHash, randomBytes } from "node:crypto";
import { type Browser, createBrowser } from "@org/pages/testing";
import { type Answer, post } from "./http-client.js";

/** The application with which a person signs in. */
export interface Login {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A browser that is signed in to the console with these cookies. */
interface SignedInBrowser {
  readonly cookies: ReadonlyMap<string, string>;
}

/**
 * Goes through the authorization page like a person whose browser runs no scripts, and allows everything, including deletion, which is not
 * ticked at first, for all clients or for some; returns the address that the page redirects to.
 */
export async function approve(
  authorizationUrl: string,
  login: Login | SignedInBrowser,
  browser = createBrowser(),
  clients?: readonly string[],
): Promise<URL> {
  await browser.open(authorizationUrl);
  if ("cookies" in login) {
    for (const [name, value] of login.cookies) browser.cookies.set(name, value);
    const [, link = ""] = /href="(\/authorize\/continue\?[^"]+)"/.exec(browser.page?.html ?? "") ?? [];
    await browser.open(new URL(link, authorizationUrl).href);
  } else if (browser.form("sign-in"))
    await browser.submit("sign-in", { client_id: login.clientId, client_secret: login.clientSecret });
  const decision = browser.form("decision");
  if (!decision) throw new Error(`no step 2: ${browser.page?.text}`);
  const ticked = decision.preset.flatMap(([name, value]) => (name === "scope" ? [value] : []));
  const scope = decision.fields.includes("scope") ? [...ticked, "connections:delete"] : ticked;
  const some = clients && { clients: "some", client_ref: clients };
  return new URL((await browser.submit("decision", { scope, ...some }, "approve")).url);
}

/** A hand-written OAuth client with a code to redeem. */
export interface CodeHolder {
  readonly clientId: string;
  readonly code: string;
  /** The form that redeems the code. */
  readonly redemption: URLSearchParams;
}

/**
 * Registers a public client and gets a code for it.
 * @param options.metadata replaces its registration metadata
 * @param options.clients limits its grant to these clients
 * @param options.client_id uses this client instead, which is already registered
 */
export async function obtainCode(
  url: string,
  login: Login | SignedInBrowser,
  options: {
    metadata?: object;
    client_id?: string;
    redirectUri?: string;
    resource?: string;
    scope?: string;
    clients?: readonly string[];
    browser?: Browser;
  } = {},
): Promise<CodeHolder> {
  const { redirectUri = "http://127.0.0.1:33418/callback", resource = `${url}/mcp` } = options;
  const registered = async () => (await register(url, options.metadata ?? { redirect_uris: [redirectUri] })).body;
  const clientId: string = options.client_id ?? (await registered()).client_id;
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state: "the state",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource,
    ...(options.scope !== undefined && { scope: options.scope }),
  });
  const back = await approve(`${url}/authorize?${query}`, login, options.browser, options.clients);
  const code = back.searchParams.get("code") ?? "";
  if (back.searchParams.get("state") !== "the state") throw new Error(`no answer to the request: ${back}`);
  const redemption = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource,
  });
  return { clientId, code, redemption };
}

/** Registers a client; a public one unless its metadata says otherwise. */
export async function register(url: string, metadata: object): Promise<Answer> {
  const answer = await post(`${url}/register`, { token_endpoint_auth_method: "none", ...metadata });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.status} ${answer.text}`);
  return answer;
}
