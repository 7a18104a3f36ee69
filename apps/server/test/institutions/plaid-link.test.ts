import { expect, it } from "vitest";
import { HOME, HOOK, openDesk } from "./plaid-desk.js";
import { visitLink } from "./plaid-person.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Session {
  readonly started_at: string;
  readonly exit: {
    readonly error: { readonly error_code: string } | null;
    readonly metadata: { readonly status: string };
  } | null;
  readonly results: {
    readonly item_add_results: readonly {
      readonly public_token: string;
      readonly accounts: readonly { readonly id: string }[];
    }[];
  };
  readonly events: readonly { readonly event_name: string }[];
}

async function openLink() {
  const plaid = await openDesk();
  const bank = plaid.catalogue.add("First Larkspur");
  const login = plaid.enrol(bank, "user_good", { code: "123456" });
  const brokerage = login.open("Brokerage");
  const pension = login.open("Pension & more", { subtype: "401k" });
  const person = { institution_id: bank.institution_id, username: "user_good", code: "123456" };
  const sessions = async (link_token: string): Promise<readonly Session[]> =>
    (await plaid.well("/link/token/get", { link_token })).link_sessions;
  return { ...plaid, bank, login, brokerage, pension, person, sessions };
}

it("Plaid: a link token's fields, its lifetimes with and without Hosted Link, and what it refuses", async () => {
  const plaid = await openLink();
  const { access_token } = await plaid.connect(plaid.bank, plaid.login);
  const made = async (more: object) => {
    const token = await plaid.newLink(more as never);
    return [token.expiration, token.hosted_link_url?.slice(0, plaid.base_url.length + 4)];
  };
  const hosted = `${plaid.base_url}/hl/`;
  const update = { access_token, products: null };
  expect(await made({})).toEqual(["2026-11-20T15:30:00.000Z", hosted]);
  expect(await made({ hosted_link: { url_lifetime_seconds: 60 } })).toEqual(["2026-11-20T15:01:00.000Z", hosted]);
  expect(await made({ hosted_link: undefined })).toEqual(["2026-11-20T19:00:00.000Z", undefined]);
  expect(await made({ ...update, hosted_link: undefined })).toEqual(["2026-11-20T15:30:00.000Z", undefined]);
  const base = { client_name: "L", language: "en", country_codes: ["US"], user: { client_user_id: "1" } };
  const said = async (more: object) => {
    const { body } = await plaid.post("/link/token/create", { ...base, ...more });
    return `${body.error_code}: ${body.error_message}`;
  };
  expect(await said({})).toMatch(/^MISSING_FIELDS: .*products$/);
  expect(await said({ products: ["investments"], user: undefined })).toMatch(/^MISSING_FIELDS: .*user$/);
  expect(await said({ products: ["investments"], language: "xx" })).toBe("INVALID_FIELD: language");
  expect(await said({ products: ["wealth"] })).toBe("INVALID_FIELD: products[0]");
  expect(await said({ products: ["investments"], webhook: "nowhere" })).toBe("INVALID_FIELD: webhook");
  const lives = (url_lifetime_seconds: number) => said({ products: ["auth"], hosted_link: { url_lifetime_seconds } });
  expect(await lives(0)).toMatch(/^INVALID_FIELD/);
  expect(await lives(21 * 86_400 + 1)).toMatch(/^INVALID_FIELD/);
  expect(await said({ access_token, products: ["investments"] })).toMatch(/^INVALID_FIELD: products/);
  expect(await said({ access_token: "access-production-none" })).toMatch(/^INVALID_ACCESS_TOKEN/);
  expect(await said({ products: ["investments", "transfer"] })).toMatch(/^INVALID_PRODUCT: .*\["transfer"\]$/);
  const redirect_uri = "https://wealth.example.com/oauth";
  expect(await said({ products: ["investments"], redirect_uri })).toMatch(/^INVALID_FIELD: OAuth redirect URI/);
  plaid.link.register(redirect_uri);
  expect(await made({ redirect_uri, hosted_link: { is_mobile_app: false } })).toContain(hosted);
  expect(await said({ products: ["investments"], redirect_uri, hosted_link: { is_mobile_app: true } })).toMatch(
    /^INVALID_FIELD: redirect_uri and/,
  );
  const unknown = { link_token: "link-production-none" };
  expect(await plaid.refused("/link/token/get", unknown)).toBe("400 INVALID_INPUT INVALID_LINK_TOKEN");
});

it("Plaid: a person picks a bank, signs in with a code, shares one account; the public token is good once, for 30 minutes", async () => {
  const plaid = await openLink();
  const { link_token, hosted_link_url } = await plaid.newLink();
  expect(await plaid.sessions(link_token)).toEqual([]);
  const visit = { ...plaid.person, accounts: ["Pension & more"] };
  expect(await visitLink(hosted_link_url, visit)).toEqual({ location: HOME, text: "" });
  const [session] = await plaid.sessions(link_token);
  expect(session).toMatchObject({ exit: null, started_at: "2026-11-20T15:00:00.000Z" });
  const { item_add_results: added } = session!.results;
  expect(added).toMatchObject([
    {
      institution: { institution_id: plaid.bank.institution_id, name: "First Larkspur" },
      accounts: [{ name: "Pension & more", type: "investment", subtype: "401k" }],
    },
  ]);
  const { public_token } = added[0]!;
  const names = session!.events.map(({ event_name }) => event_name);
  expect(names.toReversed().filter((name) => name !== "TRANSITION_VIEW")).toEqual([
    ...["OPEN", "SELECT_INSTITUTION", "SUBMIT_CREDENTIALS", "SUBMIT_MFA", "HANDOFF"],
  ]);
  expect(await plaid.events()).toMatchObject([
    { webhook_code: "ITEM_ADD_RESULT", link_token, public_token },
    { webhook_code: "SESSION_FINISHED", status: "SUCCESS", public_tokens: [public_token] },
    { webhook_code: "EVENTS" },
  ]);
  const { access_token } = await plaid.well("/item/public_token/exchange", { public_token });
  const { accounts } = await plaid.well("/accounts/get", { access_token });
  expect(accounts.map((each: { account_id: string }) => each.account_id)).toEqual(
    added[0]!.accounts.map(({ id }) => id),
  );
  const filters = { investment: { account_subtypes: ["401k"] } };
  const filtered = await plaid.connect(plaid.bank, plaid.login, { link: { account_filters: filters } });
  expect([...filtered.item.accounts.values()]).toEqual([plaid.pension]);
  const exchange = { public_token };
  expect(await plaid.refused("/item/public_token/exchange", exchange)).toBe("400 INVALID_INPUT INVALID_PUBLIC_TOKEN");

  const late = await plaid.newLink();
  await visitLink(late.hosted_link_url, { ...plaid.person, accounts: "all" });
  const [finished] = await plaid.sessions(late.link_token);
  const { item_add_results } = finished!.results;
  plaid.later(30 * MINUTE);
  expect(
    await plaid.refused("/item/public_token/exchange", { public_token: item_add_results[0]!.public_token }),
  ).toMatch(/INVALID_PUBLIC_TOKEN$/);
  expect((await visitLink(late.hosted_link_url, plaid.person)).text).toContain("no longer valid");
  plaid.later(6 * HOUR);
  expect(await plaid.sessions(late.link_token)).toEqual([]);
});

it("Plaid: each way out of Link says where the person was, and what went wrong before", async () => {
  const plaid = await openLink();
  const gone = async (visit: object, more: object = {}) => {
    const { link_token, hosted_link_url } = await plaid.newLink(more as never);
    expect((await visitLink(hosted_link_url, visit)).location).toBe(HOME);
    const [session] = await plaid.sessions(link_token);
    const { metadata, error } = session!.exit!;
    expect(session!.results).toMatchObject({ item_add_results: [] });
    return [metadata.status, error?.error_code];
  };
  const { institution_id } = plaid.bank;
  expect(await gone({})).toEqual(["requires_credentials", undefined]);
  expect(await gone({}, { country_codes: ["DE"] })).toEqual(["institution_not_found", undefined]);
  expect(await gone({ institution_id })).toEqual(["requires_credentials", undefined]);
  expect(await gone({ institution_id, username: "user_good", password: "bad" })).toEqual([
    ...["requires_credentials", "INVALID_CREDENTIALS"],
  ]);
  expect(await gone({ institution_id, username: "user_good" })).toEqual(["requires_code", undefined]);
  expect(await gone({ ...plaid.person, code: "654321" })).toEqual(["requires_code", "INVALID_MFA"]);
  expect(await gone(plaid.person)).toEqual(["requires_account_selection", undefined]);
  const nothing = { ...plaid.person, accounts: [] };
  expect(await gone(nothing)).toEqual(["requires_account_selection", "ACCESS_NOT_GRANTED"]);
  plaid.login.open("Checking", { type: "depository", subtype: "checking" });
  const checking = { ...plaid.person, accounts: ["Checking"] };
  expect(await gone(checking)).toEqual(["requires_account_selection", "NO_INVESTMENT_ACCOUNTS"]);
  expect(await gone({}, { institution_id })).toEqual(["requires_credentials", undefined]);
  const abroad = plaid.catalogue.add("Banque Larkspur", { country_codes: ["FR"], oauth: true });
  plaid.enrol(abroad, "user_good").open("Livret", { type: "depository", subtype: "savings" });
  const french = { country_codes: ["FR"] };
  expect(await gone({ institution_id: abroad.institution_id }, french)).toEqual(["requires_oauth", undefined]);
  const saver = { institution_id: abroad.institution_id, username: "user_good" };
  expect(await gone(saver, french)).toEqual(["requires_credentials", "NO_INVESTMENT_ACCOUNTS"]);
  plaid.bank.health = "DOWN";
  expect(await gone({ institution_id })).toEqual(["requires_credentials", "INSTITUTION_DOWN"]);
  plaid.bank.health = "HEALTHY";
  const events = await plaid.events();
  const ends = events.filter((each) => each.webhook_code === "SESSION_FINISHED");
  expect(ends.map((each) => [each.status, each.public_tokens.length])).toEqual(Array(13).fill(["EXITED", 0]));
  expect(plaid.items).toEqual([]);

  // Somebody goes away without a word, and comes back by the same link.
  plaid.catalogue.generate(2000);
  const late = plaid.catalogue.add("Late & Larkspur");
  plaid.enrol(late, "user_good").open("Brokerage");
  const { link_token, hosted_link_url } = await plaid.newLink();
  expect(await (await fetch(hosted_link_url)).text()).not.toContain("Late");
  plaid.link.tokens.at(-1)?.sessions[0]?.abandon();
  expect(await plaid.events()).toMatchObject([{ webhook_code: "EVENTS", link_token }]);
  const searched = { search: "late & lark", institution_id: late.institution_id, username: "user_good" };
  await visitLink(hosted_link_url, { ...searched, accounts: "all" });
  const [abandoned, done] = await plaid.sessions(link_token);
  expect([abandoned, done]).toMatchObject([{ finished_at: null, exit: null, results: null }, { exit: null }]);
  expect(done?.results.item_add_results).toHaveLength(1);
});

it("Plaid: update mode repairs the item under the token that it has, and changes the accounts that are shared", async () => {
  const plaid = await openLink();
  const { access_token, item } = await plaid.connect(plaid.bank, plaid.login, { visit: { accounts: ["Brokerage"] } });
  item.requireLogin();
  expect(await plaid.events()).toMatchObject([
    { webhook_code: "ERROR", error: { error_code: "ITEM_LOGIN_REQUIRED", status: 400 } },
  ]);
  const path = "/investments/holdings/get";
  expect(await plaid.refused(path, { access_token })).toBe("400 ITEM_ERROR ITEM_LOGIN_REQUIRED");
  expect((await plaid.well("/item/get", { access_token })).item.error.error_code).toBe("ITEM_LOGIN_REQUIRED");
  expect(item.update()).toBe(false);
  const repair = async (visit: object, more: object = {}) => {
    const wanted = { access_token, products: undefined, ...more };
    const { link_token, hosted_link_url } = await plaid.newLink(wanted as never);
    await visitLink(hosted_link_url, visit);
    const [session] = await plaid.sessions(link_token);
    return session!;
  };
  const wrong = await repair({ username: "somebody_else" });
  expect(wrong.exit).toMatchObject({ error: { error_code: "INVALID_UPDATED_USERNAME" } });
  const done = await repair(plaid.person);
  expect([done.exit, done.results]).toMatchObject([null, { item_add_results: [] }]);
  expect((await plaid.events()).map((each) => each.status ?? each.webhook_code)).toEqual([
    ...["EXITED", "EVENTS", "SUCCESS", "EVENTS"],
  ]);
  const names = async () =>
    (await plaid.well(path, { access_token })).accounts.map((each: { name: string }) => each.name);
  const first = (await plaid.well(path, { access_token })).accounts[0].account_id;
  expect(await names()).toEqual(["Brokerage"]);
  plaid.link.givesTokenOfUpdate = true;
  const update = { account_selection_enabled: true };
  const more = await repair({ ...plaid.person, accounts: "all" }, { update });
  expect(await names()).toEqual(["Brokerage", "Pension & more"]);
  expect((await plaid.well(path, { access_token })).accounts[0].account_id).toBe(first);
  const { item_add_results } = more.results;
  const { public_token } = item_add_results[0]!;
  expect(await plaid.well("/item/public_token/exchange", { public_token })).toMatchObject({ access_token });
  item.revokeAccount(plaid.brokerage);
  expect(await names()).toEqual(["Pension & more"]);
  plaid.login.open("New");
  item.newAccounts();
  expect(await names()).toEqual(["Pension & more"]);
  const told = (await plaid.events()).filter((each) => each.webhook_type === "ITEM");
  expect(told).toMatchObject([
    { webhook_code: "USER_ACCOUNT_REVOKED", account_id: first },
    { webhook_code: "NEW_ACCOUNTS_AVAILABLE" },
  ]);
});

it("Plaid: consent ends after a notice, is renewed, revoked, and items are removed", async () => {
  const plaid = await openLink();
  const { access_token, item } = await plaid.connect(plaid.bank, plaid.login);
  const at = new Date("2026-11-27T15:00:00.000Z");
  item.disconnectAt(at, "INSTITUTION_MIGRATION");
  expect(await plaid.events()).toMatchObject([
    { webhook_code: "PENDING_DISCONNECT", reason: "INSTITUTION_MIGRATION", disconnect_time: at.toISOString() },
  ]);
  plaid.later(7 * DAY);
  expect(await plaid.refused("/accounts/get", { access_token })).toMatch(/ITEM_LOGIN_REQUIRED$/);
  expect(await plaid.events()).toMatchObject([{ webhook_code: "ERROR" }]);
  item.repair();
  expect(await plaid.events()).toMatchObject([{ webhook_code: "LOGIN_REPAIRED" }]);
  expect(await plaid.refused("/accounts/get", { access_token })).toMatch(/^200/);

  const abroad = plaid.catalogue.add("Larkspur Bank", { country_codes: ["DE"], oauth: true, consent_days: 180 });
  const login = plaid.enrol(abroad, "user_good");
  login.open("Depot");
  const european = await plaid.connect(abroad, login);
  const its = { access_token: european.access_token };
  const { consent_expiration_time: until } = (await plaid.well("/item/get", its)).item;
  expect(until).toBe("2027-05-26T15:00:00.000Z");
  plaid.later(173 * DAY);
  plaid.tick();
  plaid.tick();
  expect(await plaid.events()).toMatchObject([{ webhook_code: "PENDING_EXPIRATION", consent_expiration_time: until }]);
  plaid.later(7 * DAY);
  plaid.tick();
  const [ended] = await plaid.events();
  expect(ended).toMatchObject({ webhook_code: "ERROR", error: { error_code_reason: "OAUTH_CONSENT_EXPIRED" } });
  expect((await plaid.post("/accounts/get", its)).body).toMatchObject({ error_code_reason: "OAUTH_CONSENT_EXPIRED" });

  item.revoke({ isRestorable: false });
  expect(await plaid.events()).toMatchObject([
    { webhook_code: "USER_PERMISSION_REVOKED", error: { error_type: "ITEM_ERROR", status: 400 } },
  ]);
  const body = { access_token };
  expect(await plaid.refused("/accounts/get", body)).toBe("400 INVALID_INPUT USER_PERMISSION_REVOKED");
  const update = {
    client_name: "L",
    language: "en",
    country_codes: ["US"],
    user: { client_user_id: "1" },
    access_token,
  };
  expect(await plaid.refused("/link/token/create", update)).toMatch(/USER_PERMISSION_REVOKED$/);
  item.fail("ITEM_LOCKED");
  expect(await plaid.refused("/accounts/get", body)).toBe("400 ITEM_ERROR ITEM_LOCKED");

  await plaid.events();
  const { new_access_token } = await plaid.well("/item/access_token/invalidate", its);
  expect(await plaid.refused("/item/get", its)).toMatch(/INVALID_ACCESS_TOKEN$/);
  const moved = { access_token: new_access_token, webhook: HOOK };
  expect((await plaid.well("/item/webhook/update", moved)).item.webhook).toBe(HOOK);
  expect(await plaid.events()).toMatchObject([{ webhook_code: "WEBHOOK_UPDATE_ACKNOWLEDGED", new_webhook_url: HOOK }]);
  // An item with an error can be removed.
  await plaid.well("/item/remove", { access_token: new_access_token, reason_code: "OTHER" });
  expect(await plaid.refused("/item/remove", { access_token: new_access_token })).toBe("400 ITEM_ERROR ITEM_NOT_FOUND");
});
