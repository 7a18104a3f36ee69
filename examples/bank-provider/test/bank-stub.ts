import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const accounts = [
  {
    number: "LH-1",
    title: "Depot",
    currency: "EUR",
    value: "1500.50",
    positions: [{ isin: "DE0007164600", title: "Share", units: "10.5", value: "1500.50" }],
  },
];

/** The bank's side, small enough to see through: the password `sms` asks for a code, `app` for an approval, each token works once. */
export async function startBank() {
  let serial = 0;
  let token = "";
  const bank = { url: "", refusal: null as string | null, approval: null as boolean | null, stop: async () => {} };
  const newToken = () => {
    serial += 1;
    token = `token ${serial}`;
    return token;
  };
  const answers: Record<string, (body: Record<string, string>) => [status: number, body: object]> = {
    "/login": ({ username, password }) => {
      if (password === "wrong") return [401, {}];
      if (password === "sms") return [202, { login_id: `login of ${username}`, sent_to: "*** 42" }];
      if (password === "app") return [202, { login_id: `login of ${username}`, sent_to: null }];
      return [200, { customer: username, refresh_token: newToken() }];
    },
    "/login/status": ({ login_id }) =>
      bank.approval === null
        ? [202, {}]
        : bank.approval
          ? [200, { customer: login_id?.slice(9), refresh_token: newToken() }]
          : [401, {}],
    "/login/code": ({ login_id, code }) =>
      code === "123456" ? [200, { customer: login_id?.slice(9), refresh_token: newToken() }] : [401, {}],
    "/accounts": ({ refresh_token }) => {
      if (bank.refusal !== null) return [403, { code: bank.refusal }];
      if (refresh_token !== token) return [403, { code: "TOKEN_REVOKED" }];
      return [200, { refresh_token: newToken(), consent_until: "2026-09-01T00:00:00Z", accounts }];
    },
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const answer = answers[request.url ?? ""];
    const [status, body] = answer && bank.refusal !== "DOWN" ? answer(JSON.parse(text)) : [503, {}];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  bank.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bank.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return bank;
}
