import { flood } from "./stage.mjs";

export const title = "Registrations from the 256 networks of one /56, 16 at once: 12 from each, then again";

export const environment = { TRUST_PROXY: "1" };

/** Registers clients with as much data as a registration may hold. */
export function attack(stage) {
  const padding = "x".repeat(1_500);
  return flood(stage, 16, async (index) => {
    const network = (index % 256).toString(16).padStart(2, "0");
    const metadata = {
      redirect_uris: [`https://client.example/${index}`],
      policy_uri: `https://client.example/${padding}`,
      tos_uri: `https://client.example/${padding}`,
    };
    return String((await register(stage, metadata, `2001:db8:7:12${network}::1`)).status);
  });
}

let laptops = 0;

/** An honest assistant registers occasionally, each time from another /16, since the addresses of a /16 share a limit. */
export async function honest(stage) {
  laptops += 1;
  const address = `198.${laptops % 250}.${Math.floor(laptops / 250)}.1`;
  const { status, body } = await register(stage, { redirect_uris: ["http://127.0.0.1/callback"] }, address);
  if (status !== 201) throw new Error(`${status} ${body.slice(0, 150)}`);
}

function register({ send }, metadata, address) {
  return send({
    method: "POST",
    path: "/register",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify({ token_endpoint_auth_method: "none", ...metadata }),
  });
}
