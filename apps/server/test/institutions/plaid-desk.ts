import { expect, onTestFinished } from "vitest";
import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { type PlaidOptions, startPlaid } from "./plaid.js";
import type { PlaidInstitution, PlaidLogin } from "./plaid-bank.js";
import { type PlaidVisit, visitLink } from "./plaid-person.js";
import { misfits } from "./plaid-shapes.js";

// biome-ignore lint/suspicious/noExplicitAny: tests read answers whose shape has been held against the description's.
type Body = any;

export const HOOK = "https://wealth.example.com/hooks/plaid";
export const HOME = "https://wealth.example.com/connect/callback?state=y90dsygas98d";
const NOW = "2026-11-20T15:00:00.000Z";

/** Plaid with an application, whose every answer and webhook is held against its shape. */
export async function openDesk(options: Partial<PlaidOptions> = {}) {
  let now = Date.parse(NOW);
  const received: { headers: Readonly<Record<string, string>>; body: string; event: Body }[] = [];
  const plaid = await startPlaid({
    clock: () => new Date(now),
    deliver: async (url, { headers, body }) => {
      expect(url).toBe(HOOK);
      received.push({ headers, body, event: JSON.parse(body) });
      return { status: 200 };
    },
    ...options,
  });
  onTestFinished(() => plaid.close());

  async function send(path: string, init: RequestInit): Promise<{ status: number; text: string; body: Body }> {
    const answer = await fetch(plaid.base_url + path, { method: "POST", ...init });
    const text = await answer.text();
    const body: Body = JSON.parse(text);
    expect(misfits(answer.status === 200 ? path : "PlaidError", body), `${path} ${answer.status}`).toEqual([]);
    expect(body.request_id).toMatch(/^[A-Za-z0-9]{15}$/);
    return { status: answer.status, text, body };
  }
  const post = (path: string, body: object) =>
    send(path, { headers: { "content-type": "application/json" }, body: JSON.stringify({ ...plaid.client, ...body }) });

  const desk = {
    ...plaid,
    send,
    post,
    /** The body of an answer that has to be well. */
    async well(path: string, body: object): Promise<Body> {
      const answer = await post(path, body);
      expect([answer.status, answer.body.error_code]).toEqual([200, undefined]);
      return answer.body;
    },
    /** The code of an answer that has to be refused, after its status. */
    async refused(path: string, body: object): Promise<string> {
      const answer = await post(path, body);
      return `${answer.status} ${answer.body.error_type} ${answer.body.error_code}`;
    },
    later(milliseconds: number) {
      now += milliseconds;
    },
    /** Events of webhooks since it was last asked. */
    async events(): Promise<Body[]> {
      await plaid.webhooks.settled();
      return received.splice(0).map(({ event }) => {
        expect(misfits(`${event.webhook_type} ${event.webhook_code}`, event)).toEqual([]);
        return event;
      });
    },
    received,
    /** A token for Hosted Link. */
    newLink: (more: JsonObject = {}): Promise<Body> =>
      desk.well("/link/token/create", {
        client_name: "Larkspur Wealth",
        language: "en",
        country_codes: ["US"],
        user: { client_user_id: "person-1" },
        products: ["investments"],
        webhook: HOOK,
        hosted_link: { completion_redirect_uri: HOME },
        ...more,
      }),
    /** Goes through Link, and exchanges what comes of it. */
    async connect(
      at: PlaidInstitution,
      login: PlaidLogin,
      { visit = {}, link = {} }: { visit?: PlaidVisit; link?: JsonObject } = {},
    ) {
      const { link_token, hosted_link_url } = await desk.newLink({ country_codes: at.country_codes, ...link });
      const whole: PlaidVisit = {
        institution_id: at.institution_id,
        username: login.username,
        password: login.password,
        accounts: "all",
        ...(login.code !== null && { code: login.code }),
        ...visit,
      };
      expect((await visitLink(hosted_link_url, whole)).location).toBe(HOME);
      const { link_sessions } = await desk.well("/link/token/get", { link_token });
      const { public_token } = link_sessions[0].results.item_add_results[0];
      const { access_token, item_id } = await desk.well("/item/public_token/exchange", { public_token });
      const item = plaid.items.find((each) => each.item_id === item_id);
      if (!item) throw new Error("no item");
      await desk.events();
      return { access_token, item_id, item, public_token };
    },
    /** An institution, a person with a brokerage account and a checking account, and their item. */
    async connected(options: { bank?: Partial<PlaidInstitution>; link?: JsonObject } = {}) {
      const bank = plaid.catalogue.add("First Larkspur", options.bank);
      const login = plaid.enrol(bank, "user_good");
      const account = login.open("Brokerage", { official_name: "Larkspur Self-Directed", mask: "5555" });
      const checking = login.open("Checking", {
        type: "depository",
        subtype: "checking",
        balances: { available: 100, current: 110 },
      });
      const connected = await desk.connect(bank, login, { link: options.link ?? {} });
      return { bank, login, account, checking, ...connected };
    },
  };
  return desk;
}
