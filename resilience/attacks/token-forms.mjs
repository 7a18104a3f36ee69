import { randomBytes } from "node:crypto";
import { requestBytes } from "@org/bench/measuring/load.mjs";
import { closedLoop, variantsOf } from "./closed-loop.mjs";

export { holdings, honest } from "./everyday.mjs";

export const title = "made-up codes, refresh tokens and client secrets at /token";

const REDIRECT_URI = "http://127.0.0.1/callback";
/** In base64url: a key version, and as many random bytes. */
const text = (prefix, bytes) => prefix + Buffer.concat([Buffer.of(1), randomBytes(bytes)]).toString("base64url");
const secretOf = (client_id) => ({
  grant_type: "client_credentials",
  client_id,
  client_secret: `wcs_${randomBytes(32).toString("base64url")}`,
});

/** Forms by what is made up in them. */
const targets = {
  code: ({ client_id }) => ({
    grant_type: "authorization_code",
    client_id,
    code: text("wcc_", 48),
    redirect_uri: REDIRECT_URI,
    code_verifier: randomBytes(32).toString("base64url"),
  }),
  "refresh-token": ({ client_id }) => ({ grant_type: "refresh_token", client_id, refresh_token: text("wcr_", 64) }),
  "client-secret": ({ honest }) => secretOf(honest.client_id),
  "client-id": () => secretOf(`wca_${randomBytes(16).toString("base64url")}`),
};

export const variants = variantsOf(Object.keys(targets), 200);

/** Registers a client without a secret, as anybody may. */
export async function prepare({ send }) {
  const { body } = await send({
    method: "POST",
    path: "/register",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" }),
  });
  return { client_id: JSON.parse(body).client_id };
}

export function attack(stage) {
  const { target, ...loop } = variants[stage.variant];
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return closedLoop(stage, loop, () =>
    requestBytes("POST", "/token", headers, new URLSearchParams(targets[target](stage)).toString()),
  );
}
