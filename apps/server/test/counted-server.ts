import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { startTestServer, type TestServer } from "./harness.js";

/** What a call may cost, by its name. */
type Cost = Record<"promises" | "timers" | "statements" | "listeners", number>;
const budgets: Readonly<Record<string, Readonly<Record<string, Cost>>>> = JSON.parse(
  readFileSync(new URL("call-budget.json", import.meta.url), "utf8"),
);

/** The stack of each promise, timer, statement or listener of an answer's close, innermost call first. */
type Stacks = readonly (readonly string[])[];
type Counted = Record<keyof Cost, Stacks>;

/** Calls before the counted ones: after these the server has cached what it caches. */
const WARM_CALLS = 3;
/** Calls that are counted: what the server does besides, such as reading its keys again, falls into few of them. */
const COUNTED_CALLS = 12;
/** Calls are this far apart, so that each counts the timer of the log, which collects records for 10 ms. */
const APART_MS = 30;
const HOUR_MS = 3_600_000;
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A call as its client sends it, in one piece. */
export interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Status of its answer; 200 by default. */
  readonly status?: number;
}

/** A server on PostgreSQL that counts what calls cost, and compares it with the budget of call-budget.json. */
export interface CountedServer {
  readonly server: TestServer;
  /** Sends a call over the same connection as all others. */
  send(call: Call): Promise<{ headers: NodeJS.Dict<string | string[]>; body: string }>;
  /** Makes and sends a call several times, and returns the least cost of each kind. Fails when one is above the call's budget. */
  checkCost(name: string, make: () => Call | Promise<Call>, calls?: number): Promise<Cost>;
  remove(): Promise<void>;
}

/** The names of the calls of a part of the budget. */
export function budgetedCalls(part: string): readonly string[] {
  return Object.keys(budgets[part] ?? {});
}

/** @param part the part of the budget that its calls belong to */
export async function startCountedServer(part: string): Promise<CountedServer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const server = await startTestServer({
    backend: "postgres",
    environment: { JOBS: "false" },
    schedule: { auditTrail: HOUR_MS, clock: HOUR_MS, limits: HOUR_MS, eventNews: HOUR_MS, providers: HOUR_MS },
  });
  const socket = join(server.installation.dataDir, "counts.sock");
  await server.start({ CALL_COUNTS_SOCKET: socket }, [
    "--enable-source-maps",
    "--import",
    new URL("call-counts.mjs", import.meta.url).href,
  ]);

  return {
    server,
    send,
    async checkCost(name, make, calls = COUNTED_CALLS) {
      for (let warm = 0; warm < WARM_CALLS; warm += 1) await send(await make());
      let least: Counted | undefined;
      for (let time = 0; time < calls; time += 1) {
        const call = await make();
        await delay(APART_MS);
        await takeCounted();
        await send(call);
        const counted = await takeCounted();
        least = { ...counted, ...least };
        for (const what of Object.keys(counted) as (keyof Cost)[])
          if (counted[what].length < least[what].length) least[what] = counted[what];
      }
      for (const [what, stacks] of Object.entries(least as Counted) as [keyof Cost, Stacks][])
        expect(stacks.length, `${what} of ${name}, from\n${placesIn(stacks)}\n`).toBeLessThanOrEqual(
          budgets[part]?.[name]?.[what] ?? 0,
        );
      return Object.fromEntries(
        Object.entries(least as Counted).map(([what, stacks]) => [what, stacks.length]),
      ) as Cost;
    },
    async remove() {
      agent.destroy();
      await server.remove();
    },
  };

  /** What the server has counted since it was asked before. */
  async function takeCounted(): Promise<Counted> {
    return JSON.parse(await text(connect(socket)));
  }

  function send({ path, headers, body, status = 200 }: Call): ReturnType<CountedServer["send"]> {
    return new Promise((resolve, reject) => {
      const length = { "content-length": String(Buffer.byteLength(body)) };
      const sent = request(server.url + path, { method: "POST", agent, headers: { ...headers, ...length } });
      sent.once("error", reject).once("response", (response) => {
        text(response).then((answer) => {
          if (response.statusCode === status) resolve({ headers: response.headers, body: answer });
          else reject(new Error(`${path}: ${response.statusCode} ${answer}`));
        }, reject);
      });
      sent.end(body);
    });
  }
}

/** The line of the server's own code that made each, in the order of the call. */
function placesIn(stacks: Stacks): string {
  const isOwn = (frame: string) => frame.includes(root) && !frame.includes("/node_modules/");
  return stacks.map((frames) => `  ${(frames.find(isOwn) ?? frames.join(" < ")).replace(root, "")}`).join("\n");
}
