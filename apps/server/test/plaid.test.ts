import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { backends } from "./installation.js";
import { kinds } from "./institutions/plaid-portfolio.js";
import { openPlaidStage, visitOf } from "./plaid-stage.js";

describe.each(backends)("Items of Plaid, through the running server (%s)", (backend) => {
  let stage: Awaited<ReturnType<typeof openPlaidStage>>;

  beforeAll(async () => {
    stage = await openPlaidStage(backend);
  }, START_TIMEOUT);
  afterAll(() => stage?.close());

  const needsRelogin = async (credentials_token: string) =>
    (await stage.call("svc-needs-relogin", { credentials_token })).needs_relogin;
  const portfolios = async (token: string) =>
    (await stage.rows("svc-portfolios", token)).map(({ name }) => name).sort();

  it("[C-5.259] whoever leaves Link goes again; the same accounts are one connection, and its removal ends the Item", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { plaid, banks } = stage;
    const { login, accounts } = stage.enrol(banks[0], ["Brokerage", "Retirement"]);
    accounts[0].hold(kinds.stock, "3", "271.49");
    const going = await stage.begin({ connector_id: `usa:plaid-${banks[0].institution_id}` });
    expect(await going.go({ institution_id: banks[0].institution_id })).toContain(
      "you turned back there. You have 2 attempts left",
    );
    expect(await going.session()).toMatchObject({ status: "Waiting:ProvideCredentials", error_code: "AbortedByUser" });
    await going.go(visitOf(login));
    const { connection_id, ...end } = await going.session();
    expect(end).toMatchObject({ status: "Finished:OK", error_code: null });
    const item = plaid.items.at(-1);
    const names = plaid.link.tokens.map(({ wanted }) => [wanted.user?.client_user_id, wanted.hosted_link]);
    expect(names[0]).not.toEqual(names[1]);

    // The same accounts once more: the new Item is given back, and the old one stays.
    const second = await stage.begin({ connector_id: `usa:plaid-${banks[0].institution_id}` });
    await second.go(visitOf(login));
    expect(await second.session()).toMatchObject({ error_code: "AlreadyExists" });
    await eventually(() => plaid.items.at(-1)?.isRemoved, "the second Item is given back");
    expect([plaid.items.length, item?.isRemoved]).toEqual([2, false]);

    await stage.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
    await eventually(() => item?.isRemoved, "the Item is removed");
    expect(plaid.violations).toEqual([]);
  });

  it("[C-5.291] at one institution several people, and accounts that come and go in update mode", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { plaid, banks } = stage;
    const one = stage.enrol(banks[0], ["Brokerage", "Retirement", "Savings plan"]);
    const other = stage.enrol(banks[0], ["Brokerage"]);
    const [brokerage, retirement, plan] = one.accounts;
    brokerage.hold(kinds.stock, "3", "271.49");
    retirement?.hold(kinds.fund, "10", "20");
    plan?.hold(kinds.etf, "1", "99.5");
    other.accounts[0].hold(kinds.bond, "5", "981.25");
    const first = await stage.connect(one.login, { accounts: ["Brokerage", "Retirement"] });
    const third = await stage.connect(other.login);
    expect(third.connection_id).not.toBe(first.connection_id);
    expect(await portfolios(first.connection_id)).toEqual(["Brokerage", "Retirement"]);
    expect(await portfolios(third.connection_id)).toEqual(["Brokerage"]);
    const ids = await stage.idsOf(first.connection_id);

    first.item.requireLogin();
    await stage.passes();
    expect(await stage.refresh(first.connection_id)).toBe("relogin_needed");
    expect([await needsRelogin(first.connection_id), await needsRelogin(third.connection_id)]).toEqual([true, false]);
    // Another person's password opens nothing in update mode.
    const repair = await stage.begin({ connection_id: first.connection_id });
    expect(await repair.go(visitOf(other.login))).toContain("You have 2 attempts left");
    await repair.go(visitOf(one.login, { accounts: ["Brokerage", "Retirement", "Savings plan"] }));
    expect(await repair.session()).toMatchObject({ status: "Finished:OK", connection_id: first.connection_id });
    expect(await portfolios(first.connection_id)).toEqual(["Brokerage", "Retirement", "Savings plan"]);
    expect(await stage.idsOf(first.connection_id)).toEqual(expect.arrayContaining(ids));

    // An account that the person no longer shares is gone with what it held.
    first.item.revokeAccount(retirement as typeof brokerage);
    await stage.passes();
    expect(await stage.refresh(first.connection_id)).toBe("refreshed");
    expect(await portfolios(first.connection_id)).toEqual(["Brokerage", "Savings plan"]);
    expect(plaid.items.filter(({ isRemoved }) => !isRemoved)).toEqual([first.item, third.item]);
  });

  it.each([["one account", ["Brokerage"]] as const, ["two accounts", ["Brokerage", "Retirement"]] as const])(
    "[C-5.291] %s of which the permission was withdrawn: the repair makes a new Item of the same connection, and the old one is given back",
    { timeout: START_TIMEOUT },
    async (_, names) => {
      const { plaid, banks } = stage;
      const { login, accounts } = stage.enrol(banks[1], names);
      accounts[0].hold(kinds.stock, "3", "271.49");
      const { connection_id, item } = await stage.connect(login);
      item.revoke({ isRestorable: false });
      await stage.passes();
      expect(await stage.refresh(connection_id)).toBe("relogin_needed");
      const repair = await stage.begin({ connection_id });
      // Another person's accounts are not this connection's, and the old Item stays.
      expect(await repair.go(visitOf(stage.enrol(banks[1], names).login))).toContain("You have 2 attempts left");
      await eventually(() => plaid.items.at(-1)?.isRemoved, "the other person's Item is given back");
      expect(item.isRemoved).toBe(false);
      await repair.go(visitOf(login));
      expect(await repair.session()).toMatchObject({ status: "Finished:OK", connection_id });
      expect(plaid.items.at(-1)).not.toBe(item);
      expect(await stage.rows("svc-investments", connection_id)).toMatchObject([{ name: "Apple Inc.", amount: "3" }]);
      await eventually(() => item.isRemoved, "the old Item is given back");
      expect(plaid.items.at(-1)?.isRemoved).toBe(false);
    },
  );
});
