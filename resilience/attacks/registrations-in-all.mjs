export const title = "registrations from 20 networks of ten /16s, 60 a minute of each: what another network is told";
export const environment = { TRUST_PROXY: "1" };
export const variants = { "twenty-networks": {} };

const BODY = JSON.stringify({
  redirect_uris: ["http://127.0.0.1/callback"],
  token_endpoint_auth_method: "none",
});
const register = (send, address) =>
  send({
    method: "POST",
    path: "/register",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: BODY,
  });

let asked = 0;
export const honest = {
  /** One in four seconds, as few as a reserve has for one provider. */
  async register({ send }) {
    asked += 1;
    if (asked % 100 !== 1) return;
    const { status, body } = await register(send, `203.0.${asked % 250}.77`);
    if (status !== 201) throw new Error(`${status} ${body.slice(0, 150)}`);
  },
};

export async function attack({ send, begun, signal }) {
  const outcomes = {};
  const networks = Array.from({ length: 20 }, (_, index) => `${11 + (index >> 1)}.7.${index % 2}.1`);
  const flood = async (address) => {
    for (let count = 0; count < 62; count += 1) {
      const { status } = await register(send, address);
      outcomes[status] = (outcomes[status] ?? 0) + 1;
    }
  };
  await Promise.all(networks.map(flood));
  begun();
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return { outcomes, answered: { requests: 1, p50: 1, p99: 1, longest: 1 }, refused: { requests: 0 } };
}
