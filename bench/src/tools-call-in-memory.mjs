import { goal, medianRatio } from "./measuring/figures.mjs";
import { startServer } from "./measuring/server-process.mjs";
import { measureSideBySide, tablesOf } from "./measuring/side-by-side.mjs";
import { scratchLog } from "./product/installation.mjs";
import { beginSession, callBytes, callJob, compareAnswers } from "./product/mcp-requests.mjs";

const HOLDINGS = 10_000;

/**
 * The same calls without database, token and log: the handler of `@org/mcp-tools` on node:http, compared with plain node:http and mcp-lite, to show
 * the cost of the protocol itself.
 */
export async function run({ rounds = 3, turns = 7, seconds = 0.7 }) {
  const logFile = scratchLog();
  const server = (name, era, env) => async () => {
    const options = { file: new URL(`servers/${name}.mjs`, import.meta.url).pathname, logFile };
    const request = callBytes({ era });
    return {
      server: await startServer({ ...options, request, env: { ...env, HOLDINGS: String(HOLDINGS) } }),
      client: { era },
    };
  };
  const withSession = (start) => async () => {
    const { server: started, client } = await start();
    return { server: started, client: { ...client, session: await beginSession(started.port) } };
  };
  const raw = await measureSideBySide(
    {
      bare: server("bare", "legacy"),
      "bare, through objects": server("bare", "legacy", { CONTENT: "objects" }),
      "ours, sessions": withSession(server("ours-in-memory", "legacy")),
      "ours, 2026-07-28": server("ours-in-memory", "modern"),
      "mcp-lite": server("mcp-lite", "mcp-lite"),
    },
    { rounds, turns, seconds, jobOf: (client) => callJob(client), compare: compareAnswers },
  );
  return {
    title: `tools/call svc-investments: a page of 20 of ${HOLDINGS} holdings in memory, no token`,
    notes: `Medians of ${rounds} rounds of ${turns} turns of ${seconds} s; a ratio is the median of the ratios within a turn.`,
    tables: tablesOf(raw, "bare"),
    goals: ["ours, sessions", "ours, 2026-07-28"].flatMap((ours) =>
      [16, 64].map((connections) => {
        const ratio = medianRatio(raw, "perSecond", ours, "mcp-lite", { connections });
        return goal(`${ours}: calls/s of mcp-lite, c = ${connections}`, ratio, { atLeast: 1.1 });
      }),
    ),
    raw,
  };
}
