import { flood } from "./stage.mjs";

export const title = "Wrong client ids and secrets at /token from the network of the honest tenant, by 16 at once";

/** All requests come through one proxy and from one network. */
export const environment = { TRUST_PROXY: "1" };

/** Guesses client ids, a new one each time. */
export function attack(stage) {
  return flood(stage, 16, async (index) => {
    const form = { client_id: `wca_guess_${index}`, client_secret: "wcs_guess" };
    return String((await token(stage, form, `203.0.113.${index % 200}`)).status);
  });
}

/** A program in the same office requests a token with the right secret. */
export async function honest(stage) {
  const { client_id, client_secret } = stage.honest;
  const { status, body } = await token(stage, { client_id, client_secret }, "203.0.113.250");
  if (status !== 200) throw new Error(`${status} ${body.slice(0, 150)}`);
}

function token({ send }, form, address) {
  return send({
    method: "POST",
    path: "/token",
    headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address },
    body: new URLSearchParams({ grant_type: "client_credentials", ...form }).toString(),
  });
}
