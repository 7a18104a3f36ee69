import { setTimeout as delay } from "node:timers/promises";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import type { WebhookEvent } from "@org/webhook-verifier";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { type HonestReceiver, startHonestReceiver } from "./honest-receiver.js";
import { type HostileReceiver, hostileBehaviours, startHostileReceiver } from "./hostile-receiver.js";
import { type Answer, post } from "./http-client.js";
import { waitingLetter } from "./letters.js";
import { startReplica } from "./replica.js";
import type { ServerProcess } from "./server-process.js";

/** Minimum events per tenant, minimum kills, and how long a server is left alive; `resilience/faults/killed-deliveries.mjs` sets more. */
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 40);
const KILLS = Number(process.env.WEBHOOK_KILLS ?? 2);
const ALIVE_MS = Number(process.env.WEBHOOK_ALIVE_MS ?? 500);
const LETTERS = Number(process.env.WEBHOOK_LETTERS ?? 2);
const TIMEOUT = START_TIMEOUT + 200 * EVENTS;
/** A long run reports its progress; `resilience/faults/killed-deliveries.mjs` waits for the first line before it breaks the database. */
const IS_LONG = process.env.WEBHOOK_EVENTS !== undefined;
const say = (text: string) => IS_LONG && console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
/** The run is judged when nothing new has arrived for this long: longer than an endpoint is paused after failing for a while. */
const IDLE_LIMIT_MS = 120_000;

/** Hostile behaviours that leave a tenant with twenty endpoints room for an honest one. */
const ways = hostileBehaviours.filter((way) => way !== "closes");

/** A tenant whose letters are blocked and resolved again and again, one event each time. */
interface Busy {
  readonly tenant: TestTenant;
  readonly receiver: HonestReceiver;
  readonly letters: readonly string[];
  /** Changes that were answered with 200, by letter. */
  readonly acknowledged: Map<string, number>;
}

describe.skipIf(!testDatabaseUrl)("two servers that are killed while they deliver", () => {
  let server: TestServer;
  let hostile: HostileReceiver;
  /** Both servers, by their address. */
  const running = new Map<string, ServerProcess>();
  const busy: Busy[] = [];
  let endpoints: readonly { id: string; url: string; enabled: boolean; disabled_reason: string | null }[] = [];

  beforeAll(async () => {
    const environment = { WEBHOOK_PRIVATE_NETWORKS: "127.0.0.0/8", RATE_LIMIT_RPS: "10000" };
    const schedule = { events: 50, webhooks: 50, webhookLease: 2_000 };
    server = await startTestServer({ backend: "postgres", environment, schedule });
    hostile = await startHostileReceiver();
    for (const tenant of [server.demo, await server.createTenant("without hostile endpoints")]) {
      const receiver = await startHonestReceiver();
      const letters = [];
      for (let n = 0; n < LETTERS; n += 1) letters.push(await waitingLetter(server, tenant, sandboxBanks.datafeed));
      const { secret } = await createEndpoint(tenant, receiver.url);
      receiver.trust(secret);
      busy.push({ tenant, receiver, letters, acknowledged: new Map() });
    }
    for (const way of ways) await createEndpoint(server.demo, hostile.url(way));
    const port = await freePort();
    running.set(server.url, server.process);
    running.set(`http://localhost:${port}`, await launch(port));

    async function launch(port: string) {
      const { process } = await startReplica(server, { environment: { ...environment, PORT: port }, schedule });
      return process;
    }
    relaunch = async (url) => {
      for (let tries = 1; ; tries += 1)
        try {
          running.set(url, await launch(new URL(url).port));
          return;
        } catch (error) {
          // The database may still be starting.
          if (tries === 20) throw error;
          await delay(500);
        }
    };
  }, START_TIMEOUT);
  let relaunch: (url: string) => Promise<void>;
  afterAll(async () => {
    for (const each of running.values()) await each.end("SIGKILL");
    await server?.remove();
    await Promise.all([hostile?.close(), ...busy.map(({ receiver }) => receiver.close())]);
  });

  it("[C-11.86] every event arrives, nothing else does, and what came twice has the same id", {
    timeout: TIMEOUT,
  }, async () => {
    let kills = 0;
    say("both servers are there");
    const isOver = ({ acknowledged }: Busy) => kills >= KILLS && sum(acknowledged) >= EVENTS;
    const changes = busy.flatMap((each, nth) =>
      each.letters.map((letter) => changeUntil(each, letter, nth, () => isOver(each))),
    );
    const killing = (async () => {
      for (; !busy.every(isOver); kills += 1) {
        await delay(ALIVE_MS);
        const [url, victim] = [...running][kills % 2] as [string, ServerProcess];
        await victim.end("SIGKILL");
        if (kills === 0 && !IS_LONG) await cutConnections();
        await relaunch(url);
        say(
          `${kills + 1} kills; ${busy.map(({ acknowledged, receiver }) => `${sum(acknowledged)} changes, ${receiver.taken.length} came`).join("; ")}`,
        );
      }
    })();
    await Promise.all([killing, ...changes]);
    for (const { tenant, receiver, letters, acknowledged } of busy) {
      const log = await logOf(tenant);
      const told = log.filter(({ type }) => type === "letter.blocked" || type === "letter.resolved");
      // Numbers have no gaps, acknowledged changes are there, and nothing rolled back is: states alternate.
      expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
      for (const letter of letters) {
        const types = told
          .filter(({ data }) => "letter_id" in data && data.letter_id === letter)
          .map(({ type }) => type);
        expect(types).toEqual(types.map((_, index) => (index % 2 === 0 ? "letter.blocked" : "letter.resolved")));
        expect(types.length).toBeGreaterThanOrEqual(acknowledged.get(letter) ?? 0);
      }
      const expected = new Set(told.map(({ id }) => id));
      // Letters also have other events (`letter.moved`, `letter.changed`), which do not show that the expected ones have arrived.
      const arrived = () => receiver.taken.filter(({ event }) => expected.has(event.id));
      const different = () => new Set(arrived().map(({ event }) => event.id)).size;
      let [before, since] = [0, Date.now()];
      for (let now = different(); now < expected.size && Date.now() - since < IDLE_LIMIT_MS; now = different()) {
        if (now > before) [before, since] = [now, Date.now()];
        await delay(IS_LONG ? 1_000 : 100);
        say(`${now} of ${expected.size} have arrived`);
      }
      const came = new Set(receiver.taken.map(({ event }) => event.id));
      expect([...expected].filter((id) => !came.has(id))).toEqual([]);
      const known = new Map(log.map((event) => [event.id, event]));
      for (const { event } of receiver.taken) expect(event).toEqual(known.get(event.id));
      expect(receiver.refused).toEqual([]);
    }
    report(kills);
  });

  it("[C-11.87] hostile endpoints hold nobody up: theirs wait, while every honest one is done", async () => {
    ({ items: endpoints } = (await askAnybody(server.demo, "/events/v1/list-endpoints", {})).body);
    const waiting = await Promise.all(
      endpoints.map(async ({ id, url }) => {
        const query = { endpoint_id: id, state_in: ["pending"] };
        const { items } = (await askAnybody(server.demo, "/events/v1/list-deliveries", { query })).body;
        return [url, items.length > 0] as const;
      }),
    );
    const stuck = [
      "hangs",
      "drips-its-headers",
      "resets",
      "fails-forever",
      "redirects-to-metadata",
      "asks-for-a-date",
      "never-shakes-hands",
    ] as const;
    expect(waiting.filter(([, waits]) => waits).map(([url]) => url)).toEqual(
      expect.arrayContaining(stuck.map((way) => hostile.url(way))),
    );
    expect(waiting).toContainEqual([busy[0]?.receiver.url, false]);
  });

  it("an endpoint that is gone is switched off, and its tenant told", async () => {
    await eventually(async () => {
      ({ items: endpoints } = (await askAnybody(server.demo, "/events/v1/list-endpoints", {})).body);
      return endpoints.some(({ enabled }) => !enabled);
    }, "the endpoint is switched off");
    const off = endpoints.filter(({ enabled }) => !enabled);
    expect(off).toMatchObject([{ url: hostile.url("is-gone"), disabled_reason: "gone" }]);
    const told = (await logOf(server.demo)).filter(({ type }) => type === "webhook.endpoint_disabled");
    expect(told.map(({ data }) => data)).toEqual([{ endpoint_id: off[0]?.id, reason: "gone" }]);
  });

  async function createEndpoint(
    tenant: TestTenant,
    url: string,
  ): Promise<{ endpoint: { id: string }; secret: string }> {
    const { status, text, body } = await tenant.post("/events/v1/create-endpoint", { url });
    if (status !== 200) throw new Error(`create-endpoint ${url}: ${status} ${text}`);
    return body;
  }

  /** Blocks and resolves a letter in turn; if a change was never answered, the next one shows whether it was made. */
  async function changeUntil({ acknowledged }: Busy, letter_id: string, nth: number, isOver: () => boolean) {
    const verbs = ["block", "resolve"] as const;
    for (let n = nth, step = 0; !isOver(); n += 1) {
      const url = [...running.keys()][n % 2] ?? "";
      const { token } = server.operator;
      const answer = await post(`${url}/operator/v1/letters/${verbs[step % 2]}`, { letter_id }, { token }).catch(
        () => null,
      );
      if (answer?.status === 200) acknowledged.set(letter_id, (acknowledged.get(letter_id) ?? 0) + 1);
      if (answer?.status === 200 || answer?.status === 409) step += 1;
      // There are enough: now only as many more as each kill needs to hit some.
      if ((answer?.status ?? 503) >= 500 || sum(acknowledged) >= EVENTS) await delay(100);
    }
  }

  /** A call that has to succeed on any running server. */
  async function askAnybody({ token }: TestTenant, path: string, body: object): Promise<Answer> {
    return eventually(async () => {
      for (const url of running.keys()) {
        const answer = await post(url + path, body, { token }).catch(() => null);
        if (answer && answer.status < 500) {
          if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
          return answer;
        }
      }
      return null;
    }, path);
  }

  /** The tenant's whole log, the oldest first. */
  async function logOf(tenant: TestTenant): Promise<WebhookEvent[]> {
    const events: WebhookEvent[] = [];
    for (let page_token: string | null | undefined; page_token !== null; ) {
      const { body } = await askAnybody(tenant, "/events/v1/list-events", {
        order: "asc",
        page_size: 500,
        ...(page_token && { page_token }),
      });
      events.push(...body.items);
      page_token = body.next_page_token;
    }
    return events;
  }

  /** Ends the connections, as a restart of the database does. */
  async function cutConnections(): Promise<void> {
    await server.installation.withDatabase((pool) =>
      pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      ),
    );
  }

  /** Figures for the long run; nothing depends on them. */
  function report(kills: number): void {
    if (!IS_LONG) return;
    for (const [nth, { receiver }] of busy.entries()) {
      const first = new Map<string, number>();
      for (const { event, at } of receiver.taken)
        if (!first.has(event.id)) first.set(event.id, at - Date.parse(event.created_at));
      const times = [...first.values()].sort((a, b) => a - b);
      const part = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
      const who = nth === 0 ? `beside ${ways.length} hostile endpoints` : "alone";
      console.log(
        `${who}: ${first.size} events, ${receiver.taken.length - first.size} came again, ms to arrive p50 ${part(0.5)} p99 ${part(0.99)} max ${part(1)}; ${kills} kills`,
      );
    }
    console.log(`hostile endpoints were asked: ${JSON.stringify(Object.fromEntries(hostile.asked))}`);
  }
});

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
