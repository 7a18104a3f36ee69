import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { InstitutionMode } from "@org/provider-kit/testing";

const accounts = `{"consent_until":"2026-09-01T00:00:00Z","accounts":[
  {"number":"LH-1","title":"Depot","currency":"EUR","value":12345678901234567.50,
   "positions":[{"isin":"DE0007164600","title":"Share","units":10.50,"value":1500.10}]}]}`;
const bookings = `[{"id":"B-1","account":"LH-1","day":"2026-02-27","text":"Deposit","value":250.00},
  {"id":"B-2","account":"LH-0","day":"2026-02-27","text":"Of an account that was closed","value":1}]`;

/**
 * The bank's side: the PIN `sms-pin` asks for a code, `app-pin` for an approval, and `odd-pin` is answered without a token; each refresh token can be
 * used once.
 */
export async function startLighthouse() {
  let serial = 0;
  let asked = 0;
  let mode: InstitutionMode = "well";
  const good = new Set<string>();
  const bank = {
    url: "",
    /** The code of the next refusals; null = none. */
    refusal: null as string | null,
    /** The customer's answer in the app; null = none yet. */
    approval: true as boolean | null,
    /** The path that fails from now on. */
    broken: "",
    modes: ["well", "hangs", "down", "nonsense", "throttles", "withdrawn"] as const,
    set: (wanted: InstitutionMode) => {
      mode = wanted;
    },
    asked: () => asked,
    stop: async () => {},
  };
  const token = () => {
    serial += 1;
    good.add(`refresh-token-${serial}`);
    return `refresh-token-${serial}`;
  };
  const entry = (customer = "") => ({ customer, refresh_token: token() });
  const answers: Record<string, (body: Record<string, string>) => readonly [status: number, body: object | string]> = {
    "/ping": () => [200, {}],
    "/login": ({ customer_number, pin }) => {
      if (pin === "wrong") return [401, {}];
      if (pin === "locked") return [403, {}];
      if (pin === "odd-pin") return [200, {}];
      if (pin === "sms-pin") return [202, { login_id: `login-of-${customer_number}`, sent_to: "*** 42" }];
      if (pin === "app-pin") return [202, { login_id: `login-of-${customer_number}`, sent_to: null }];
      return [200, entry(customer_number)];
    },
    "/login/status": ({ login_id }) =>
      bank.approval === null
        ? [202, { login_id, sent_to: null }]
        : bank.approval
          ? [200, entry(login_id?.slice(9))]
          : [401, {}],
    "/login/code": ({ login_id, code }) => (code === "123456" ? [200, entry(login_id?.slice(9))] : [401, {}]),
    "/token": ({ refresh_token = "" }) => {
      if (bank.refusal !== null) return [403, { code: bank.refusal }];
      if (!good.delete(refresh_token)) return [403, { code: "TOKEN_REVOKED" }];
      return [200, { access_token: "access-token", refresh_token: token() }];
    },
    "/accounts": () => [200, accounts],
    "/bookings": () => [200, bookings],
    "/logout": ({ refresh_token = "" }) => (good.delete(refresh_token) ? [200, {}] : [403, { code: "TOKEN_REVOKED" }]),
  };
  const server = createServer(async (request, response) => {
    asked += 1;
    let text = "";
    for await (const chunk of request) text += chunk;
    if (mode === "hangs") return;
    const [path = ""] = (request.url ?? "").split("?");
    const [status, body] =
      mode === "down" || path === bank.broken
        ? [503, text]
        : mode === "nonsense"
          ? [200, { you_sent: text }]
          : mode === "throttles"
            ? [429, text]
            : mode === "withdrawn"
              ? [403, { code: "TOKEN_REVOKED" }]
              : (answers[path]?.(JSON.parse(text || "{}")) ?? [404, {}]);
    response.writeHead(status, { "content-type": "application/json", "retry-after": "30" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  bank.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bank.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return bank;
}
