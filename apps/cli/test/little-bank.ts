import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const zod = pathToFileURL(createRequire(import.meta.url).resolve("zod")).href;

/** A provider as somebody else would write it, in a file of their own: a login with a redirect, accounts, and a history in pages. */
const module = `
import { z } from ${JSON.stringify(zod)};
const account = z.object({ number: z.string(), owner: z.string(), value: z.string(), currency: z.string() });
export default {
  name: "little-bank", title: "Little bank", settings: z.strictObject({ base_url: z.url() }),
  create: ({ settings: { base_url }, http, clock, log }) => {
    const call = (method, path, signal, more = {}) =>
      http.request({ method, url: base_url + path, read: "json_exact", signal, expect: [200, 401], ...more });
    const away = (user, { callback_url, callback_state }) => {
      const query = new URLSearchParams({ back: callback_url, state: callback_state });
      return { kind: "redirect", url: base_url + "/page?" + query, state: { user } };
    };
    return {
      credentialFields: () => [{ name: "user" }, { name: "pin", kind: "secret" }],
      async login({ fields, signal, ...back }) {
        const { status, body } = await call("POST", "/login", signal, { json: fields });
        if (status === 401) return { kind: "rejected" };
        if (body.asks) return { kind: "ask", fields: [{ name: "mother" }], state: fields };
        return away(fields.user, back);
      },
      async answer({ state, fields, signal, ...back }) {
        log.info("answers as " + Buffer.from(state.user + ":" + state.pin).toString("base64"));
        await call("POST", "/answer", signal, { json: fields });
        return away(state.user, back);
      },
      async resume({ state, params, signal }) {
        const { body } = await call("POST", "/token", signal, { json: { code: params.code } });
        return { kind: "authenticated", user_key: state.user, access: { token: body.token } };
      },
      async fetch({ access, signal }) {
        const headers = { authorization: "Bearer " + access.token };
        const accounts = z.array(account).parse((await call("GET", "/accounts", signal, { headers })).body);
        const transactions = [];
        for (const { number, owner } of accounts) {
          log.info("reads the account of " + owner);
          for (let next = "0"; next !== null; ) {
            const { body } = await call("GET", "/accounts/" + encodeURIComponent(number) + "/bookings", signal, { headers, query: { cursor: next } });
            for (const { id, day, text, paid, type, mark } of body.rows)
              transactions.push({ key: id, portfolio_key: number, holding_key: null, operation_date: day, description: text, amount: null,
                balance: paid, currency: "EUR", unit_price: null, kind: type === "FEE" ? "fee" : mark === "Q7" ? "transfer_in" : "other" });
            next = body.next;
          }
        }
        const portfolios = accounts.map(({ number, owner, value, currency }) =>
          ({ key: number, name: owner, balance: value, currency, ref_account: number, type: "S" }));
        return { consent_expires_at: null, snapshot: { as_of: clock(), portfolios, holdings: null, transactions } };
      },
      revoke: async ({ access, signal }) => void (await call("POST", "/revoke", signal, { json: { token: access.token } })),
    };
  },
};`;

/** What the bank tells of its customer: none of it may be shown. */
export const told = {
  user: "larkspur-4711",
  pin: "right-pin-of-larkspur",
  token: "token-9f8e7d6c5b4a",
  mother: "Ysolde-Brackenridge",
  code: "code-31415926",
  account: "DE89370400440532013000",
  owner: "Velmora Quillon",
  value: 1234567.89,
  ids: ["BK-100200300", "BK-400500600"],
  texts: ["Custody fee of Quillon", "Transfer to Tamsin Harrowgate"],
  paid: [-45.67, 98765.43],
};

/** The bank, and the file of its provider in `folder`. */
export async function openLittleBank(folder: string) {
  const file = "little-bank.mjs";
  writeFileSync(join(folder, file), module);
  const asked: string[] = [];
  const mode = { state: "well" as "well" | "asks" | "down" | "half" | "hangs" | "odd" | "marks" };
  const server = createServer(async (request, response) => {
    let sent = "";
    for await (const chunk of request) sent += chunk;
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://bank");
    asked.push(`${request.method} ${pathname}`);
    const say = (body: string, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    if (mode.state === "down") return say("{}", 503);
    if (pathname === "/login")
      return say(JSON.stringify({ asks: mode.state === "asks" }), JSON.parse(sent).pin === told.pin ? 200 : 401);
    if (pathname === "/answer") return say("{}", JSON.parse(sent).mother === told.mother ? 200 : 401);
    if (pathname === "/token") return say(JSON.stringify({ token: told.token, token_type: "Bearer" }));
    if (pathname === "/revoke") return say("{}");
    if (request.headers.authorization !== `Bearer ${told.token}`) return say("{}", 401);
    if (pathname === "/accounts") {
      if (mode.state === "hangs") return undefined;
      const { account: number, owner, value } = told;
      const body = JSON.stringify([{ number, owner, value, currency: mode.state === "odd" ? null : "EUR" }]);
      if (mode.state !== "half") return say(body);
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
      response.write(body.slice(0, 40));
      return setImmediate(() => response.destroy());
    }
    const at = Number(searchParams.get("cursor") === "0" ? 0 : 1);
    const one = {
      id: told.ids[at],
      day: "2026-03-02",
      text: told.texts[at],
      paid: told.paid[at],
      type: ["FEE", "MOVE"][at],
      ...(mode.state === "marks" && { mark: "Q7" }),
    };
    return say(JSON.stringify({ rows: [one], next: at === 0 ? told.ids[0] : null }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    file: `./${file}`,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    mode,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
