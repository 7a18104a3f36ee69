import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, press, sees } from "./chromium-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { startSaxo } from "./institutions/saxo.js";
import { furnish } from "./institutions/saxo-book.js";
import { executablePath, startKeyStory } from "./key-story.js";

const HOUR = 60 * 60_000;
const start = () => startKeyStory("saxo", ["sim"], startSaxo);

/** Of which the margin positions (Tesla, EUR/USD) are worth their gain. */
const held = [
  "Apple Inc. VI - 17 4615.33 USD",
  "Apple Inc. VI - 3 814.47 USD",
  "Cash L - 13779.66 13779.66 USD",
  "Cash L - 33507.06 33507.06 EUR",
  "Euro/US Dollar DV FF 10000 69.3 USD",
  "Germany 1.8% 15 Aug 2053, EUR FI - 15000 11562.75 EUR",
  "Morgan Stanley Global Opportunity Fund A F - 12.3457 2099.633199 USD",
  "Tesla Inc. CFD - -8 92.08 USD",
  "iShares Core MSCI World UCITS ETF ETF - 41 4606.145 EUR",
];
const moved = [
  "Bought ASML Holding NV 2 - - EUR",
  "Bought Apple Inc. 17 - - USD",
  "Bought Apple Inc. 3 - - EUR",
  "Bought Euro/US Dollar 10000 - - EUR",
  "Bought Germany 1.8% 15 Aug 2053, EUR 15000 - - EUR",
  "Bought Morgan Stanley Global Opportunity Fund A 12.3457 - - USD",
  "Bought iShares Core MSCI World UCITS ETF 41 - - EUR",
  "Cash Amount - - 20000.03 USD",
  "Cash Amount - - 50000.1 EUR",
  "Commission ASML Holding NV - - -2 EUR",
  "Commission ASML Holding NV - - -2 EUR",
  "Commission Apple Inc. - - -0.89 EUR",
  "Commission Apple Inc. - - -1 USD",
  "Commission Germany 1.8% 15 Aug 2053, EUR - - -12.5 EUR",
  "Commission Tesla Inc. - - -6.1 USD",
  "Commission iShares Core MSCI World UCITS ETF - - -3.07 EUR",
  "Corporate Actions - Cash Dividends Apple Inc. - - 4.42 USD",
  "Corporate Actions - Withholding Tax Apple Inc. - - -0.66 USD",
  "Custody Fee - - -5.13 EUR",
  "Share Amount ASML Holding NV - - -1603.2 EUR",
  "Share Amount ASML Holding NV - - 1719.9 EUR",
  "Share Amount Apple Inc. - - -4218.27 USD",
  "Share Amount Apple Inc. - - -654.16 EUR",
  "Share Amount Germany 1.8% 15 Aug 2053, EUR - - -11464.81 EUR",
  "Share Amount Morgan Stanley Global Opportunity Fund A - - -1998.76 USD",
  "Share Amount iShares Core MSCI World UCITS ETF - - -4465.18 EUR",
  "Sold ASML Holding NV -2 - - EUR",
  "Sold Tesla Inc. -8 - - USD",
];
const bought = [
  "Bought iShares Core MSCI World UCITS ETF 2 - - EUR",
  "Share Amount iShares Core MSCI World UCITS ETF - - -223 EUR",
  "Commission iShares Core MSCI World UCITS ETF - - -3.07 EUR",
];

describe.skipIf(!executablePath)("Saxo, from its settings to the end of a connection", () => {
  let story: Awaited<ReturnType<typeof start>>;
  let page: Page;

  beforeAll(async () => {
    story = await start();
    story.stand.register(`${story.server.url.replace("127.0.0.1", "localhost")}/connect/callback`);
    ({ page } = await newPerson(story.chromium, { locale: "en-GB" }));
  }, START_TIMEOUT);
  afterAll(() => story?.close());

  /** Goes to the institution, which sends the customer back at once. */
  async function goToBank(target: { connector_id: string } | { connection_id: string }, told = "") {
    const { id, widgetUrl } = await story.tenant.openSession(target);
    await page.goto(widgetUrl);
    await page.getByText(told).first().waitFor();
    await press(page, "Continue");
    await sees(page, "Log in on your bank's page");
    await press(page, "Go to your bank");
    return id;
  }

  it("[C-5.187] settings, a login, every figure, rotation, a limit, a revoked login, repair with ids kept, removal", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { stand, tenant, refreshed, rows, holdings, transactions, idsOf } = story;
    const { authorization_url: authorize_url, token_url, app } = stand;
    const { eur, positions } = furnish(stand.book);
    await story.setUp({
      clients: { sim: { client_id: app.key, client_secret: app.secret, authorize_url, token_url } },
    });

    stand.page(3);
    const session_id = await goToBank(
      { connector_id: "dnk:saxo-sim" },
      "for newer data you will be asked to log in again",
    );
    await sees(page, "Your bank is connected");
    const { connection_id } = await tenant.tools.call("svc-session-status", { session_id });
    expect(await holdings(connection_id)).toEqual(held);
    expect(await transactions(connection_id)).toEqual([...moved].sort());
    const portfolios = await rows("svc-portfolios", connection_id);
    expect(
      portfolios.map(({ refAccount, balance, currency }) => [refAccount, balance, currency].join(" ")).sort(),
    ).toEqual(["8812077INET 50439.797411 EUR", "8812077INET1 20586.703199 USD"]);
    const ids = await idsOf(connection_id);

    // The access token has ended: it is renewed, and the refresh token replaced.
    stand.expire();
    const yesterday = new Date(stand.book.clock().getTime() - 24 * HOUR);
    stand.book.trade(eur, positions.world.instrument, "2", "111.5", { commission: "3.07", at: yesterday });
    await refreshed(connection_id, "refreshed");
    const second = [...moved, ...bought].sort();
    expect(await transactions(connection_id)).toEqual(second);
    expect(await holdings(connection_id)).toContain("iShares Core MSCI World UCITS ETF ETF - 43 4830.835 EUR");
    expect((await idsOf(connection_id)).filter((one) => ids.includes(one))).toEqual(ids);

    stand.expire();
    stand.throttle(1);
    story.passes();
    await refreshed(connection_id, "throttled");
    expect(await transactions(connection_id)).toEqual(second);
    story.passes();
    await eventually(
      async () => (await story.statusOf(connection_id)).last_outcome === "refreshed",
      "the next attempt after the limit",
    );

    stand.revoke();
    story.passes();
    await refreshed(connection_id, "relogin_needed");
    const of = { credentials_token: connection_id };
    expect(await tenant.tools.call("svc-needs-relogin", of)).toMatchObject({ needs_relogin: true });
    const before = await idsOf(connection_id);
    await goToBank({ connection_id });
    await sees(page, "Your connection is renewed");
    expect((await tenant.tools.call("svc-needs-relogin", of)).needs_relogin).toBe(false);
    expect(await idsOf(connection_id)).toEqual(before);

    await story.remove(connection_id);
    expect([stand.violations, story.server.faults()]).toEqual([[], []]);
    expect(story.server.output()).not.toContain(app.secret);
  });
});
