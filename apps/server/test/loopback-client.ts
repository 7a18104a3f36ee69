import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { register } from "./authorize.js";
import { type Answer, post } from "./http-client.js";

/** One authorization request, from the address that a browser opens to the tokens. */
export interface AccessRequest {
  readonly address: string;
  readonly state: string;
  /** The answers received so far, in order. */
  answers(): readonly URLSearchParams[];
  /** Redeems a code, by default the last one received. */
  redeem(code?: string): Promise<Answer>;
}

/** A public client like a desktop app: it listens on loopback for its answers (RFC 8252 §7.3). */
export interface LoopbackClient {
  readonly clientId: string;
  ask(): AccessRequest;
  /** From now on its page is held back until `release` is called. */
  hold(): void;
  release(): void;
  refresh(refreshToken: string): Promise<Answer>;
  close(): void;
}

/** Title of the page with which a client answers the browser. */
export const BACK_IN_THE_APP = "Back in the app";

/** Starts a client of the server at `url`. @param metadata what it registers besides its address */
export async function startLoopbackClient(url: string, metadata: object = {}): Promise<LoopbackClient> {
  const received: URLSearchParams[] = [];
  let held: Promise<void> = Promise.resolve();
  let release = () => {};
  const listener = createServer(async (req, res) => {
    if (!req.url?.startsWith("/callback")) return res.writeHead(404).end();
    received.push(new URL(req.url, "http://127.0.0.1").searchParams);
    await held;
    res.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><h1>${BACK_IN_THE_APP}</h1>`);
  });
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening));
  const callback = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
  const clientId: string = (await register(url, { redirect_uris: [callback], ...metadata })).body.client_id;

  return {
    clientId,
    ask() {
      const asked = askFor(url, clientId, callback);
      const answers = () => received.filter((query) => query.get("state") === asked.state);
      const redeem = (code = answers().at(-1)?.get("code") ?? "") => asked.redeem(code);
      return { address: asked.address, state: asked.state, answers, redeem };
    },
    hold() {
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    refresh: (refresh_token) =>
      post(`${url}/token`, new URLSearchParams({ grant_type: "refresh_token", refresh_token, client_id: clientId })),
    close() {
      listener.close();
      listener.closeAllConnections();
    },
  };
}

/** An authorization request of a registered client, with any redirect URI. */
export function askFor(
  url: string,
  clientId: string,
  redirectUri: string,
): Omit<AccessRequest, "answers" | "redeem"> & { redeem(code: string): Promise<Answer> } {
  const state = randomBytes(8).toString("hex");
  const code_verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    resource: `${url}/mcp`,
    code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  return {
    address: `${url}/authorize?${query}`,
    state,
    redeem(code: string) {
      const form = { grant_type: "authorization_code", code, client_id: clientId, redirect_uri: redirectUri };
      return post(`${url}/token`, new URLSearchParams({ ...form, code_verifier }));
    },
  };
}
