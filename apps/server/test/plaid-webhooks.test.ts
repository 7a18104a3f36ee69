import { afterAll, beforeAll, expect, it } from "vitest";
import { START_TIMEOUT } from "./harness.js";
import { oneBackend } from "./installation.js";
import { kinds } from "./institutions/plaid-portfolio.js";
import type { Signature } from "./institutions/plaid-webhooks.js";
import { openPlaidStage } from "./plaid-stage.js";

const KEY = "/webhook_verification_key/get";
const forged: readonly Signature[] = [
  ...(["unsigned", "garbage", "forged", "unknown_key", "other_body", "old", "early", "none", "hmac"] as const),
];
const MINUTE = 60_000;

let stage: Awaited<ReturnType<typeof openPlaidStage>>;

// Keys are asked for five times a minute of the database, so that no clock jumps here.
beforeAll(async () => {
  const backend = oneBackend(
    "it is about what webhooks of an institution do; which connections are due is in the stores' suites",
  );
  stage = await openPlaidStage(backend);
}, START_TIMEOUT);
afterAll(() => stage?.close());

/** A connection, and a webhook about its holdings. */
async function connected() {
  const { login, accounts } = stage.enrol(stage.banks[0], ["Brokerage", "Retirement"]);
  accounts[0].hold(kinds.stock, "3", "271.49");
  const { connection_id, item } = await stage.connect(login);
  const { webhooks } = stage.plaid;
  await webhooks.settled();
  const event = {
    ...{ webhook_type: "HOLDINGS", webhook_code: "DEFAULT_UPDATE", item_id: item.item_id, error: null },
    ...{ new_holdings: 1, updated_holdings: 0, environment: "production" },
  };
  const url = String(item.webhook);
  return {
    connection_id,
    item,
    send: async (signature?: Signature, more = {}) => webhooks.send(url, { ...event, ...more }, signature),
    due: async (): Promise<string | null> => (await stage.latest(connection_id)).next_at,
  };
}

it("[C-5.293] webhooks are answered as Plaid wants it and make the connection due; those that are not Plaid's do nothing", {
  timeout: START_TIMEOUT,
}, async () => {
  const { send, due } = await connected();
  const { webhooks } = stage.plaid;
  const before = await due();
  for (const signature of forged) expect([signature, (await send(signature)).status]).toEqual([signature, 401]);
  expect(await due()).toBe(before);
  const sent = await send();
  expect(sent.status).toBe(200);
  const then = await due();
  expect(String(then) < String(before)).toBe(true);
  // Sent again, and about an Item that nobody has.
  expect((await webhooks.replay(sent)).status).toBe(200);
  expect((await send("signed", { item_id: "nobody" })).status).toBe(200);
  expect(await due()).toBe(then);

  // A new key is asked for once, however many webhooks come with it.
  webhooks.rotate();
  const asked = stage.sent(KEY);
  // Where too many wait, some are answered 503; Plaid sends them again.
  const sendAgain = async () => {
    let { status } = await send();
    while (status === 503) ({ status } = await send());
    return status;
  };
  const many = await Promise.all(Array.from({ length: 8 }, sendAgain));
  expect(new Set(many)).toEqual(new Set([200]));
  expect(stage.sent(KEY)).toBe(asked + 1);
});

it("[C-5.233] an Item that its customer repaired elsewhere is due again, though the connection waited for them", {
  timeout: START_TIMEOUT,
}, async () => {
  const { connection_id, item, due } = await connected();
  item.requireLogin();
  await stage.plaid.webhooks.settled();
  expect(await stage.refresh(connection_id)).toBe("relogin_needed");
  expect(await due()).toBeNull();
  item.repair();
  await stage.plaid.webhooks.settled();
  expect(await due()).not.toBeNull();
});

it("[C-5.293] forged webhooks do not become requests to Plaid, however many there are", {
  timeout: START_TIMEOUT,
}, async () => {
  const { send } = await connected();
  const { requests } = stage.plaid.institution;
  const [before, begun] = [requests.length, Date.now()];
  for (let at = 0; at < 60; at += 1) expect((await send(at % 2 ? "unknown_key" : "old")).status).toBe(401);
  const asked = requests.slice(before);
  expect(asked.filter(({ path }) => path !== KEY)).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(5 * (1 + Math.ceil((Date.now() - begun) / MINUTE)));
});
