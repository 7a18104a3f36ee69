import type { LoginStep } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { itemUserKey } from "../src/user-key.js";
import { providerFor, refusal, type Scripted, startScriptedPlaid } from "./scripted-plaid.js";

const requests = requestsFor("usa:plaid-ins_3", "ins_3");
const answers: Record<string, Scripted> = {};
let bank: Awaited<ReturnType<typeof startScriptedPlaid>>;
let at: Awaited<ReturnType<typeof providerFor>>;

const balances = { current: 1, iso_currency_code: "USD", unofficial_currency_code: null };
const account = (account_id: string, mask: string | null) => ({
  ...{ account_id, name: "Brokerage", mask, type: "investment", subtype: "brokerage", balances },
});
const item = { item_id: "item-1", institution_id: "ins_3", institution_name: "Chase", consent_expiration_time: null };
const linked = { results: { item_add_results: [{ public_token: "public-1" }] }, finished_at: "2026-03-10T18:00:00Z" };

beforeEach(async () => {
  Object.assign(answers, {
    "/institutions/get_by_id": () => ({ institution: { name: "Chase", routing_numbers: ["021000021"] } }),
    "/link/token/create": () => ({ link_token: "link-1", hosted_link_url: "https://secure.plaid.example/hl/1" }),
    "/link/token/get": () => ({ link_sessions: [linked] }),
    "/item/public_token/exchange": () => ({ access_token: "access-1", item_id: "item-1" }),
    "/accounts/get": () => ({ accounts: [account("a", "1234"), account("b", "5678")], item }),
    "/item/remove": () => ({}),
  } satisfies typeof answers);
  bank = await startScriptedPlaid(answers);
  at = await providerFor(bank.base_url);
});

afterEach(async () => {
  await at.http.close();
  bank.close();
});

async function begin(existing_access: unknown = null): Promise<Extract<LoginStep, { kind: "redirect" }>> {
  const step = await at.provider.login(requests.login({}, { existing_access, language: "fr" }));
  if (step.kind !== "redirect") throw new Error(`the step is ${step.kind}`);
  return step;
}

const comeBack = async (step: { state: unknown }) => at.provider.resume?.(requests.resume(step.state, {}));

async function connected(): Promise<Extract<LoginStep, { kind: "authenticated" }>> {
  const step = await comeBack(await begin());
  if (step?.kind !== "authenticated") throw new Error(`the step is ${step?.kind}`);
  return step;
}

it("[C-5.253] a login goes to Hosted Link with a name that nobody guesses, the way back with its state, and where to notify us", async () => {
  const { url } = await begin();
  await begin();
  expect(url).toBe("https://secure.plaid.example/hl/1");
  const [first, second] = bank.to("/link/token/create") as { user: { client_user_id: string } }[];
  expect(first).toEqual({
    client_name: "Wealth Connect",
    language: "fr",
    country_codes: ["US"],
    user: { client_user_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
    products: ["investments"],
    hosted_link: {
      completion_redirect_uri: "https://wealth.example/connect/callback?state=a-state-that-nobody-guesses",
    },
    webhook: "https://wealth.example/providers/plaid/notifications",
    institution_data: { routing_number: "021000021" },
  });
  expect(first?.user.client_user_id).not.toBe(second?.user.client_user_id);
});

it("[C-5.253] whoever leaves Link without success may go again; one whom Plaid has not written down yet is waited for", async () => {
  answers["/link/token/get"] = () => ({ link_sessions: [{ finished_at: "2026-03-10T18:00:00Z", exit: {} }] });
  expect(await comeBack(await begin())).toEqual({ kind: "rejected", declined: true });
  answers["/link/token/get"] = (_, asked) => ({ link_sessions: asked < 4 ? [{ finished_at: null }] : [linked] });
  expect((await connected()).user_key).toBe(
    'ins_3: ["1234","brokerage","Brokerage"], ["5678","brokerage","Brokerage"]',
  );
  answers["/link/token/get"] = () => ({ link_sessions: [] });
  expect(await comeBack(await begin())).toEqual({ kind: "rejected", declined: true });
});

it("[C-5.253] an Item of another institution than the one that was chosen is given back, and its customer may go again", async () => {
  const other = { ...item, institution_id: "ins_9", institution_name: "Another" };
  answers["/accounts/get"] = () => ({ accounts: [account("a", "1234")], item: other });
  expect(await comeBack(await begin())).toEqual({ kind: "rejected" });
  expect(bank.to("/item/remove")).toEqual([{ access_token: "access-1" }]);
  // One institution may have several ids.
  answers["/accounts/get"] = () => ({
    accounts: [account("a", "1234")],
    item: { ...other, institution_name: "Chase" },
  });
  expect((await connected()).reference).toBe("item-1");
});

it("[C-5.253] an Item whose accounts cannot be read is given back", async () => {
  answers["/accounts/get"] = () => refusal(400, "INSTITUTION_ERROR", "INSTITUTION_DOWN");
  await expect(comeBack(await begin())).rejects.toThrow("INSTITUTION_DOWN");
  expect(bank.to("/item/remove")).toEqual([{ access_token: "access-1" }]);
});

it("[C-5.254] a repair goes through update mode, and keeps the Item and the customer's key although accounts were added", async () => {
  const { access, user_key } = await connected();
  answers["/link/token/get"] = () => ({
    link_sessions: [{ finished_at: "2026-03-10T18:00:00Z", events: [{ event_name: "HANDOFF" }] }],
  });
  answers["/accounts/get"] = () => ({ accounts: [account("a", "1234"), account("c", "9999")], item });
  const step = await comeBack(await begin(access));
  expect(step).toMatchObject({
    kind: "authenticated",
    user_key,
    access: { item_id: "item-1", accounts: ["a", "b", "c"] },
  });
  const update = bank.to("/link/token/create")[1];
  expect(update).toMatchObject({ access_token: "access-1", update: { account_selection_enabled: true } });
  expect(Object.keys(update ?? {})).not.toContain("products");
  expect(bank.to("/item/public_token/exchange")).toHaveLength(1);
});

it("[C-5.254] an Item that Plaid does not know any more is replaced by a new one", async () => {
  const { access } = await connected();
  answers["/link/token/create"] = ({ access_token }) =>
    access_token === undefined
      ? { link_token: "link-2", hosted_link_url: "https://secure.plaid.example/hl/2" }
      : refusal(400, "INVALID_INPUT", "ITEM_NOT_FOUND");
  const step = await begin(access);
  expect(step.url).toBe("https://secure.plaid.example/hl/2");
  expect(await comeBack(step)).toMatchObject({ kind: "authenticated" });
});

it("[C-5.254] an Item is given back once it is nobody's; that of a repaired connection stays, and one that is gone is gone", async () => {
  const { access } = await connected();
  await at.provider.revoke?.(requests.revoke(access, { kept_accesses: [access] }));
  expect(bank.to("/item/remove")).toEqual([]);
  await at.provider.revoke?.(requests.revoke(access));
  answers["/item/remove"] = () => refusal(400, "INVALID_INPUT", "ITEM_NOT_FOUND");
  await at.provider.revoke?.(requests.revoke(access));
  expect(bank.to("/item/remove")).toHaveLength(2);
});

it("[C-5.255] one customer is recognised by two accounts' last digits or by an id that lasts, and never by less", () => {
  const named = (...accounts: ReturnType<typeof account>[]) => itemUserKey(item, accounts as never);
  const two = [account("a", "1234"), account("b", "5678")] as const;
  expect(named(...two)).toBe(named({ ...two[1], account_id: "x" }, { ...two[0], account_id: "y" }));
  expect(named(...two)).not.toBe(named(two[0], account("b", "5679")));
  expect(named(two[0])).toBe("item-1");
  expect(named(account("a", null), account("b", "12"))).toBe("item-1");
  expect(named({ ...two[0], persistent_account_id: "lasts" } as never)).toBe('ins_3: "lasts"');
  // Customers name their accounts at many institutions.
  const smuggled = { ...two[0], name: "Brokerage, 5678 brokerage Brokerage" };
  const third = account("c", "9012");
  expect(named(smuggled, third)).not.toBe(named(...two, third));
  const unmasked = { ...account("b", null), subtype: null, name: "5678 brokerage Brokerage" };
  expect(named(two[0], third, unmasked as never)).not.toBe(named(...two, third));
});
