import { createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { type Plaid, startPlaid } from "./institutions/plaid.js";
import { type SnapTrade, startSnapTrade } from "./institutions/snaptrade.js";

const clock = () => new Date();
const DOMAIN = "alpenrose.example";
const LONG = 120_000;
/** The ways to one bank, in the order of PROVIDERS; its letter is last. */
const WAYS = ["che:alpenrose", "gbr:plaid-ins_1", "usa:snaptrade-alpenrose", "che:alpenrose-files"] as const;
const INSTITUTIONS = 12_000;
/** Those of the generated institutions that have investments, and Alpenrose. */
const PROPOSED = (INSTITUTIONS * 4) / 5 + 1;

describe.skipIf(!testDatabaseUrl)("a catalogue that OpenWealth, Plaid, SnapTrade and letters fill", () => {
  let server: TestServer;
  let plaid: Plaid;
  let snap: SnapTrade;
  let reachedFirst: object;

  beforeAll(async () => {
    [plaid, snap] = await Promise.all([startPlaid({ clock }), startSnapTrade({ clock })]);
    plaid.catalogue.add("Alpenrose Bank UK", { country_codes: ["GB"], url: `https://www.${DOMAIN}/uk` });
    plaid.catalogue.generate(INSTITUTIONS);
    plaid.allow("/institutions/get", 1_000, 1_000);
    const partner = snap.book.addPartner();
    snap.book.addBrokerage("ALPENROSE", "Alpenrose Brokers", { url: `https://${DOMAIN}/invest` });
    snap.book.addManyBrokerages(20);
    server = await startTestServer({
      backend: "postgres",
      environment: { PROVIDERS: "openwealth,plaid,snaptrade", JOBS: "false" },
    });
    const auth = {
      type: "authorization_code",
      client_id: "wealth-connect",
      client_secret: "a secret",
      token_url: "https://login.alpenrose.example/token",
      authorize_url: "https://login.alpenrose.example/authorize",
    };
    const base_url = "https://api.alpenrose.example";
    const identifiers = { bic: "ALPNCHZZ", domain: `www.${DOMAIN}` };
    const bank = { id: "alpenrose", name: "Bank Alpenrose", country: "che", base_url, auth, identifiers };
    const settings = {
      openwealth: { banks: [bank] },
      plaid: { ...plaid.client, base_url: plaid.base_url, countries: [...COUNTRIES] },
      snaptrade: { client_id: partner.client_id, consumer_key: partner.consumer_key, base_url: snap.base_url },
    };
    for (const [name, given] of Object.entries(settings))
      await server.operate("/operator/v1/providers/set", { name, settings: given });
    const letter = { id: WAYS[3], name: "Alpenrose Depot", country: "che", type: "datafeed" };
    const line = JSON.stringify({ ...letter, identifiers: { bic: "ALPNCHZZXXX" } });
    const headers = { "content-type": "application/x-ndjson" };
    expect((await server.operator.post("/operator/v1/connectors/import", line, { headers })).status).toBe(200);
    reachedFirst = await sync("plaid");
    await sync("openwealth");
    await sync("snaptrade");
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    await plaid?.close();
    await snap?.close();
  });

  const sync = (name: string, more: object = {}) => server.operate("/operator/v1/providers/sync", { name, ...more });
  const only = (...ids: readonly string[]) => ({
    rules: [
      { action: "exclude", field: "connector_id", value: "*" },
      { action: "include", field: "connector_id", value: ids },
    ],
  });
  /** What a customer reads in the list of banks of such a session, and the ids that can be chosen. */
  async function offered(connector_filter: object) {
    const configuration = { connector_filter, language: "en" };
    const { body } = await server.demo.post("/v2/connect/sessions", { configuration });
    const browser = createBrowser();
    await browser.open(body.widget_url);
    await browser.submit("continue");
    await browser.open(`${body.widget_url}?name=alpenrose`);
    return { text: browser.page?.text ?? "", ids: browser.form("bank")?.buttons.map(({ value }) => value) };
  }

  it("[C-5.277] shows a bank that all four reach as one entry, whose ways say who stands between", async () => {
    const { text, ids } = await offered(only("gbr:plaid-ins_2", ...WAYS));
    expect(text).toContain("Bank Alpenrose Switzerland, United Kingdom, United States, Canada · 4 ways to connect");
    expect(text).toMatch(/Log in on the bank's own page.*Through Plaid.*Through SnapTrade.*By letter/s);
    expect(ids).toEqual(WAYS.slice(0, 3));
  });

  it("[C-5.277] leaves one way where a filter names one, and tells tools of the others", async () => {
    const { text, ids } = await offered(only(WAYS[2]));
    expect(ids).toEqual([WAYS[2]]);
    expect(text).toContain("Alpenrose Brokers");
    expect(text).not.toContain("ways to connect");
    const { items } = await server.demo.tools.call("svc-connectors", { name: "alpenrose" });
    const waysOf = ({ connector_id, metadata }: Item) => [connector_id, metadata.ways];
    expect(Object.fromEntries(items.map(waysOf))).toEqual(Object.fromEntries(WAYS.map((id) => [id, WAYS])));
  });

  it("[C-5.278] writes each of 12,000 institutions of Plaid once: a second sync changes no row", {
    timeout: LONG,
  }, async () => {
    expect(reachedFirst).toMatchObject({ inserted: PROPOSED, taken_total: 0, unproposed_total: 0 });
    const before = await versions();
    expect(before).toMatchObject({ rows: String(PROPOSED) });
    expect(await sync("plaid")).toMatchObject({ inserted: 0, updated: 0, unchanged: PROPOSED });
    expect(await versions()).toEqual(before);
  });

  it("[C-5.279] an institution that Plaid drops is named, and offered until it is withdrawn", {
    timeout: LONG,
  }, async () => {
    const dropped = only(WAYS[1]);
    plaid.spoil("/institutions/get", (body) => ({ ...body, institutions: (body.institutions as Listed[]).slice(1) }));
    const found = await sync("plaid");
    expect(found.unproposed).toContain(WAYS[1]);
    expect((await offered(dropped)).ids).toEqual([WAYS[1]]);
    expect(await sync("plaid", { withdraw: true })).toMatchObject({ updated: found.unproposed_total });
    const { text } = await offered(only(...WAYS));
    expect(text).toContain("3 ways to connect");
    plaid.spoil("/institutions/get", null);
    expect(await sync("plaid")).toMatchObject({ updated: found.unproposed_total, unproposed_total: 0 });
    expect((await offered(dropped)).ids).toEqual([WAYS[1]]);
  });

  /** How many rows of Plaid there are, and what identifies the statements that wrote them. */
  async function versions() {
    const query =
      "select count(*) as rows, count(distinct xmin::text) as writes, max(xmin::text::bigint) as last, max(ctid) as place from connectors where provider = 'plaid'";
    return server.installation.withDatabase(async (pool) => (await pool.query(query)).rows[0]);
  }
});

type Listed = Readonly<Record<string, never>>;
interface Item {
  readonly connector_id: string;
  readonly metadata: { readonly ways?: readonly string[] };
}

/** All countries of Plaid. */
const COUNTRIES = "US GB ES NL FR IE CA DE IT PL DK NO SE EE LT LV PT BE AT FI".split(" ");
