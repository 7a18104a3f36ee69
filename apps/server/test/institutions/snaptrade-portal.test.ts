import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { refusal } from "./snaptrade-answers.js";
import { openSnapTrade } from "./snaptrade-caller.js";
import { furnish } from "./snaptrade-furnish.js";
import { canonicalJson, signatureOf } from "./snaptrade-signature.js";

const CALLBACK = "https://wealth.example.com/connect/callback?state=abc%2Fd";
const erika = { username: "erika", password: "s3cret" };

async function portal() {
  const snap = await openSnapTrade();
  const furnished = furnish(snap.book);
  const partner = snap.book.addPartner();
  const user = await snap.register(partner);
  const ask = (body: object) => snap.as(user)("/snapTrade/login", { method: "POST", body });
  /** A person with a link to the portal. */
  async function person(more: object = {}) {
    const body = { connectionType: "read", customRedirect: CALLBACK, immediateRedirect: true, ...more };
    return snap.personAt((await ask(body)).body.redirectURI);
  }
  return { ...snap, ...furnished, partner, user, ask, person };
}

/** The query of the way back. */
const back = (address: string) => Object.fromEntries(new URL(address).searchParams);

it("SnapTrade's portal: a person picks a brokerage, signs in, and comes back with the connection; the same login is the same connection", async () => {
  const snap = await portal();
  snap.book.addManyBrokerages(3000);
  const first = await snap.person();
  await first.open();
  expect(first.heading()).toBe("Select your institution");
  expect(first.page().text.match(/<li>/g)).toHaveLength(50);
  await first.go("?q=No. 1100");
  expect(first.page().text).not.toContain("<li>");
  await first.go("?q=no. 1101");
  expect(first.page().text.match(/<li>/g)).toHaveLength(1);
  await first.go("?q=");
  await first.follow("Larch Brokers");
  expect(first.heading()).toBe("Sign in to Larch Brokers");
  await first.follow("Back");
  await first.follow("Larch Brokers");
  const query = back(await first.send("sign-in", erika));
  const [connection] = snap.user.connections;
  expect(query).toEqual({ state: "abc/d", status: "SUCCESS", connection_id: connection?.id });
  expect(connection).toMatchObject({ type: "read", disabled: null });
  expect(connection?.accounts.map(({ source }) => source)).toEqual([snap.margin, snap.plan]);

  const again = await snap.person({ broker: "LARCH" });
  await again.open();
  expect(again.heading()).toBe("Sign in to Larch Brokers");
  expect(back(await again.send("sign-in", erika)).connection_id).toBe(connection?.id);
  expect(snap.user.connections).toHaveLength(1);

  // Another user's connection to it has ids of its own; what stays is the brokerage's own id of an account.
  const other = await snap.register(snap.partner, "other");
  const accounts = snap.book.connect(other, snap.larch, snap.login, "read").accounts;
  expect(accounts[0]?.id).not.toBe(connection?.accounts[0]?.id);
  const { body } = await snap.as(other)("/accounts");
  expect(body[0]).toMatchObject({ id: accounts[0]?.id, institution_account_id: "54953432" });
});

it("SnapTrade's portal: failed attempts come back with their codes, or stay on the portal without immediateRedirect; who declines or leaves has no connection", async () => {
  const snap = await portal();
  const failed = async (broker: string, fields: Readonly<Record<string, string>>) => {
    const one = await snap.person({ broker });
    await one.open();
    const { state, ...query } = back(await one.send("sign-in", fields));
    return query;
  };
  const error = (status_code: string, error_code: string) => ({ status: "ERROR", status_code, error_code });
  expect(await failed("LARCH", { ...erika, password: "wrong" })).toEqual(error("403", "1066"));
  const careful = snap.book.addBrokerage("CAREFUL", "Careful Bank");
  careful.register("erika", "s3cret", "424242");
  expect(await failed("CAREFUL", { ...erika, code: "000000" })).toEqual(error("400", "1086"));
  expect(await failed("CAREFUL", { ...erika, code: "424242" })).toMatchObject({ status: "SUCCESS" });
  snap.login.mayRead = false;
  expect(await failed("LARCH", erika)).toEqual(error("403", "1140"));
  snap.login.mayRead = true;
  snap.larch.isDown = true;
  expect(await failed("LARCH", erika)).toEqual(error("500", "3000"));
  snap.larch.isDown = false;

  const patient = await snap.person({ immediateRedirect: false, broker: "LARCH" });
  await patient.open();
  await patient.send("sign-in", { ...erika, password: "wrong" });
  expect(patient.page().text).toContain("Invalid credentials provided");
  await patient.send("sign-in", erika);
  expect(patient.heading()).toBe("Connection successful");
  expect(back(await patient.follow("Done"))).toMatchObject({ status: "SUCCESS", state: "abc/d" });
  // The visit is over.
  expect(back(await (await reopened(patient)).follow("Go back"))).toMatchObject(error("400", "1006"));

  const shy = await snap.person({ broker: "COINS" });
  await shy.open();
  await shy.send("sign-in", { username: "erika", password: "coins" });
  expect(shy.heading()).toBe("Coin Exchange: share your data");
  expect(back(await shy.send("agree", { answer: "decline" }))).toMatchObject(error("400", "1006"));
  const gone = await snap.person();
  await gone.open();
  expect(back(await gone.send("close"))).toEqual({ state: "abc/d", status: "ABANDONED" });
  snap.habits.bareExit = true;
  const silent = await snap.person();
  await silent.open();
  expect(back(await silent.send("close"))).toEqual({ state: "abc/d" });
  snap.habits.literalQuery = true;
  const literal = await snap.person({ broker: "LARCH" });
  await literal.open();
  expect(await literal.send("sign-in", erika)).toContain(`${CALLBACK}?status=SUCCESS&connection_id=`);
  const bound = await snap.person({ showCloseButton: false });
  await bound.open();
  expect(bound.page().text).not.toContain("Close");
  expect(snap.user.connections.map(({ brokerage }) => brokerage.slug)).toEqual(["CAREFUL", "LARCH"]);
  snap.habits.literalQuery = false;
  const deleted = await snap.person();
  snap.book.queueUser(snap.user);
  await snap.settle();
  expect(back(await deleted.open())).toMatchObject(error("401", "0000"));

  async function reopened(one: typeof patient) {
    const { url } = one.page();
    const later = snap.personAt(url.replace("/sign-in", ""));
    await later.open();
    return later;
  }
});

it("SnapTrade's portal: a link is good for five minutes, brokerages in maintenance or not enabled connect nobody, faulty parameters are refused by name", async () => {
  const snap = await portal();
  const late = await snap.person();
  snap.later(300);
  await late.open();
  expect([late.page().status, late.heading()]).toEqual([403, "Link expired"]);
  const slow = await snap.person({ broker: "LARCH" });
  await slow.open();
  snap.later(30 * 60);
  expect(back(await slow.send("sign-in", erika))).toMatchObject({ status: "ERROR", error_code: "1006" });
  snap.larch.maintenance_mode = true;
  const refused = await snap.person({ broker: "LARCH" });
  await refused.open();
  expect(refused.heading()).toBe("Larch Brokers is under maintenance");
  snap.larch.enabled = false;
  const without = await snap.person();
  await without.open();
  expect(without.page().text).not.toContain("Larch");

  const faults: [object, string][] = [
    [{ broker: "LARCH" }, "400 1012"],
    [{ broker: "NONE" }, "400 1012"],
    [{ broker: "COINS", connectionType: "trade" }, "400 1012"],
    [{ connectionType: "write" }, "400 1012"],
    [{ customRedirect: "callback" }, "400 1012"],
    [{ immediateRedirect: "true" }, "400 1012"],
    [{ locale: "de" }, "400 1012"],
    [{ reconnect: "connection-1" }, "400 1012"],
    [{ reconnect: "8b5f262d-4bb9-365d-888a-202bd3b15fa1" }, "404 1011"],
  ];
  for (const [body, expected] of faults) {
    const answer = await snap.ask(body);
    expect([body, `${answer.status} ${answer.body.code}`]).toEqual([body, expected]);
  }
  for (const locale of ["en", "en-US", "pt_BR"]) expect((await snap.ask({ locale })).status).toBe(200);
  expect(snap.violations).toEqual([]);
  await snap.ask({ redirectUri: CALLBACK });
  expect(snap.violations).toEqual(["login with redirectUri"]);
});

it("SnapTrade's portal: reconnect mends the connection with all its ids, for its own login alone", async () => {
  const snap = await portal();
  snap.larch.register("hans", "s3cret").open("Q1");
  const connection = snap.book.connect(snap.user, snap.larch, snap.login, "read");
  const ids = connection.accounts.map(({ id }) => id);
  snap.book.disable(connection);
  const repair = async (fields: Readonly<Record<string, string>>) => {
    const one = await snap.person({ reconnect: connection.id });
    await one.open();
    expect(one.heading()).toBe("Sign in to Larch Brokers");
    return back(await one.send("sign-in", fields));
  };
  expect(await repair({ ...erika, username: "hans" })).toMatchObject({ status: "ERROR", error_code: "1023" });
  expect(connection.disabled).not.toBeNull();
  snap.login.accounts.pop();
  const fresh = snap.login.open("Q99");
  expect(await repair(erika)).toMatchObject({ status: "SUCCESS", connection_id: connection.id });
  expect(connection.disabled).toBeNull();
  expect(connection.accounts.map(({ id, source }) => [id, source])).toEqual([
    [ids[0], snap.margin],
    [expect.any(String), fresh],
  ]);
  expect((await snap.as(snap.user)(`/accounts/${ids[1]}`)).status).toBe(404);
});

it("SnapTrade: webhooks are signed over their canonical JSON, come again if they are not received, and can be forged, late, altered or replayed", async () => {
  const snap = await portal();
  const seen: { body: Readonly<Record<string, unknown>>; signature: unknown }[] = [];
  let status = 200;
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    seen.push({ body: JSON.parse(body), signature: request.headers.signature });
    response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void receiver.close());
  if (!receiver.listening) await new Promise((resolve) => receiver.once("listening", resolve));
  snap.webhooks.listen(snap.partner, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
  const connection = snap.book.connect(snap.user, snap.larch, snap.login, "read");
  snap.book.disable(connection);
  snap.book.reconnect(connection, "read");
  snap.margin.deposit("1", { trade_date: "2026-11-19" });
  snap.book.sync();
  snap.book.queueConnection(connection);
  snap.book.queueUser(snap.user);
  await snap.settle();
  expect(seen.map(({ body }) => body.eventType)).toEqual([
    "CONNECTION_ADDED",
    ...["NEW_ACCOUNT_AVAILABLE", "ACCOUNT_TRANSACTIONS_INITIAL_UPDATE"],
    ...["NEW_ACCOUNT_AVAILABLE", "ACCOUNT_TRANSACTIONS_INITIAL_UPDATE"],
    ...["CONNECTION_BROKEN", "CONNECTION_FIXED"],
    ...["ACCOUNT_HOLDINGS_UPDATED", "ACCOUNT_TRANSACTIONS_UPDATED", "ACCOUNT_HOLDINGS_UPDATED"],
    ...["CONNECTION_DELETED", "USER_DELETED"],
  ]);
  expect(seen[7]?.body).toMatchObject({
    clientId: snap.partner.client_id,
    userId: snap.user.id,
    accountId: connection.accounts[0]?.id,
    brokerageAuthorizationId: connection.id,
    eventTimestamp: "2026-11-20T15:00:00.123000+00:00",
    details: { positions: { success: true, error: null } },
  });
  const isSigned = (one: (typeof seen)[number] | undefined) =>
    one?.signature === signatureOf(one?.body, snap.partner.consumer_key, true);
  expect(seen.every(isSigned)).toBe(true);
  const outage = snap.book.addBrokerage("BOERSE", "Börse");
  outage.register("erika", "s3cret").open("1");
  const german = await snap.register(snap.partner, "german");
  snap.book.connect(german, outage, outage.logins[0] as never, "read");
  outage.isDown = true;
  snap.book.sync();
  await snap.settle();
  expect(seen.at(-1)?.body).toMatchObject({
    eventType: "ACCOUNT_HOLDINGS_UPDATED",
    details: { positions: { success: false, error: "Börse is unavailable" } },
  });
  expect(isSigned(seen.at(-1))).toBe(true);
  // As Python writes it.
  expect(canonicalJson({ b: "Größe", a: [1, null] }, true)).toBe('{"a":[1,null],"b":"Gr\\u00f6\\u00dfe"}');

  status = 500;
  snap.book.tell(snap.user, { eventType: "CONNECTION_FAILED" });
  const counts: number[] = [];
  for (const minutes of [0, 29, 1, 60, 120, 600]) {
    snap.later(minutes * 60);
    await snap.settle();
    counts.push(snap.webhooks.sent.at(-1)?.statuses.length ?? 0);
  }
  expect([counts, snap.webhooks.waiting]).toEqual([[1, 1, 2, 3, 4, 4], 0]);
  expect(seen.at(-1)).toEqual(seen.at(-2));

  const event = { eventType: "CONNECTION_BROKEN", userId: snap.user.id };
  const sent = async (wrong: Parameters<typeof snap.webhooks.send>[2]) => {
    expect(await snap.webhooks.send(snap.partner, event, wrong)).toBe(500);
    return seen.at(-1);
  };
  expect(isSigned(await sent({ consumer_key: "another" }))).toBe(false);
  expect(isSigned(await sent({ altered: { userId: "other" } }))).toBe(false);
  expect((await sent({ isUnsigned: true }))?.signature).toBeUndefined();
  const old = await sent({ eventTimestamp: new Date(snap.now() - 301_000) });
  expect([isSigned(old), old?.body.eventTimestamp]).toEqual([true, "2026-11-21T04:24:59.123000+00:00"]);
  const [first] = snap.webhooks.sent;
  if (first) await snap.webhooks.replay(snap.partner, first);
  expect(seen.at(-1)).toEqual(seen[0]);
});

it("SnapTrade: pages that are half, that come again or change while they are read, and answers that are cut, odd or refused", async () => {
  const snap = await portal();
  const connection = snap.book.connect(snap.user, snap.larch, snap.login, "read");
  const [, plan] = connection.accounts;
  if (!plan) throw new Error("no account");
  const get = snap.as(snap.user);
  const path = `/accounts/${plan.id}/activities`;
  const ids = async (offset: number) =>
    (await get(path, { query: { offset: String(offset), limit: "10" } })).body.data.map(({ id }: { id: string }) => id);
  const pages = [await ids(0), await ids(10), await ids(20)];
  snap.paging.spoilt = { to: "half", offset: 10, times: 1 };
  expect([await ids(10), await ids(10)]).toEqual([pages[1].slice(0, 5), pages[1]]);
  snap.paging.spoilt = { to: "first", offset: 10, times: 1 };
  expect([await ids(10), await ids(10)]).toEqual([pages[0], pages[1]]);
  snap.paging.after = (account) => {
    snap.paging.after = null;
    snap.book.arrive(account, snap.plan.deposit("7", { trade_date: "2026-11-19" }));
  };
  expect(await ids(0)).toEqual(pages[0]);
  expect(await ids(10)).toEqual([pages[0].at(-1), ...pages[1].slice(0, 9)]);
  snap.paging.rows = 4;
  expect(await ids(20)).toHaveLength(4);

  snap.spoil(/activities$/, (body) =>
    body.replaceAll('"settlement_date"', '"settled"').replace(/"units":\S+?,/, '"units":null,'),
  );
  expect((await get(path)).body.data[0].units).toBeNull();
  snap.spoil(/activities$/, null);
  expect((await get(path)).body.data[0].units).toBe(0);
  const isPositions = ({ path: asked }: { path: string }) => asked.endsWith("/positions/all");
  const positions = `/accounts/${plan.id}/positions/all`;
  snap.institution.fail(isPositions, { kind: "cut_in_the_middle" });
  await expect(get(positions)).rejects.toThrow();
  snap.institution.fail(isPositions, { kind: "half" });
  await expect(get(positions)).rejects.toThrow();
  snap.institution.fail(isPositions, { kind: "html", status: 503 });
  expect((await get(positions)).status).toBe(503);
  const unexpected = refusal(500, "1000", "Encountered an unexpected exception.");
  snap.institution.fail(isPositions, { kind: "instead", reply: unexpected });
  expect((await get(positions)).body).toMatchObject({ status_code: 500, code: "1000" });
  expect((await get(positions)).status).toBe(200);
});
