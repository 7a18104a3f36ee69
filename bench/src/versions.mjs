import { goal, medianRatio } from "./measuring/figures.mjs";
import { measureSideBySide, tablesOf } from "./measuring/side-by-side.mjs";
import { publishHoldings } from "./product/holdings.mjs";
import { accessToken, copyServer, installOnPostgres, refusesNothing } from "./product/installation.mjs";
import { seedLetters, withClient } from "./product/letters.mjs";
import { beginSession, callJob, compareItems } from "./product/mcp-requests.mjs";
import { restBytes } from "./product/rest-requests.mjs";
import { tokenJobs } from "./product/token-requests.mjs";

const HOLDINGS = 10_000;
const LETTERS = 100_000;
/** How much more a call may cost than in the other checkout. */
const MAX_RATIO = 1.03;
const MIN_RATIO = 1 / MAX_RATIO;

/**
 * The server of this checkout compared with the built server of another one, on one database: tool calls in both eras, tokens, refreshes and letter
 * searches, with the servers as shipped. For changes that should cost nothing.
 *
 * Options: `against`, the other checkout's folder, built and with its dependencies; `rounds`, `turns` in a round, `seconds` of a turn.
 */
export async function run({ databaseUrl, against, rounds = 3, turns = 7, seconds = 0.7 }) {
  if (against === undefined) throw new Error("versions takes --against FOLDER: another checkout, built");
  const fill = async ({ storage, credentials, databaseUrl: url }) => {
    await publishHoldings(storage, credentials.demo.tenant, HOLDINGS);
    await withClient(url, (client) => seedLetters(client, credentials.demo.tenant, LETTERS));
  };
  const product = await installOnPostgres(databaseUrl, fill, refusesNothing);
  const before = copyServer(against);
  const starts = { before: { file: before.file, logFile: before.logFile }, after: {} };
  const works = worksOn(product);
  const raw = [];
  try {
    for (const [work, { clientOf, jobOf, compare }] of Object.entries(works)) {
      const targets = Object.fromEntries(
        Object.entries(starts).map(([name, options]) => [
          `${work}, ${name}`,
          async () => {
            const server = await product.start(options);
            return { server, client: await clientOf(server) };
          },
        ]),
      );
      raw.push(...(await measureSideBySide(targets, { rounds, turns, seconds, jobOf, compare })));
      // Printed now, so that results are not lost if a later server fails.
      for (const { caption, head, rows } of tablesOf(raw.filter(isOf(work)), `${work}, before`))
        console.error([`${work}, ${caption}`, head, ...rows].join("\n"));
    }
  } finally {
    await product.remove();
  }
  return {
    title: "This version beside another one, on one database",
    notes: `Medians of ${rounds} rounds of ${turns} turns of ${seconds} s; a ratio is the median of the ratios within a turn.`,
    tables: Object.keys(works).flatMap((work) => tablesOf(raw.filter(isOf(work)), `${work}, before`)),
    goals: Object.keys(works).flatMap((work) => {
      const ratio = (field) => medianRatio(raw, field, `${work}, after`, `${work}, before`, { connections: 16 });
      return [
        goal(`${work}: calls/s of before, c = 16`, ratio("perSecond"), { atLeast: MIN_RATIO }),
        goal(`${work}: CPU of before, c = 16`, ratio("cpu"), { atMost: MAX_RATIO }),
      ];
    }),
    raw,
  };
}

const isOf =
  (work) =>
  ({ target }) =>
    target.startsWith(`${work}, `);

function worksOn({ credentials: { demo } }) {
  const { clientCredentials, refresh } = tokenJobs(demo);
  const call = (era) => ({
    async clientOf(server) {
      const token = await accessToken(server, demo);
      return { era, token, session: era === "legacy" ? await beginSession(server.port, token) : undefined };
    },
    jobOf: (client) => callJob(client),
    compare: compareItems,
  });
  const tokens = (job) => ({
    clientOf: async (server) => ({ job: await job(server) }),
    jobOf: (client, index) => client.job(index),
  });
  return {
    "tools/call, sessions": call("legacy"),
    "tools/call, 2026-07-28": call("modern"),
    client_credentials: tokens(clientCredentials),
    refresh: tokens(refresh),
    "search-letters": {
      clientOf: async (server) => ({ token: await accessToken(server, demo) }),
      jobOf: ({ token }, index) => searchJob(token, index),
    },
  };
}

/** Searches for one of 38 desks, with a fortieth of the letters each, on one of the first ten pages. */
function searchJob(token, index) {
  let made = index;
  return {
    next() {
      made += 1;
      const body = { query: { labels: { desk: `desk-${made % 38}` } }, page: 1 + (made % 10) };
      return restBytes(token, "/letters/v1/search-letters", body);
    },
    check({ body }) {
      const { items, total } = JSON.parse(body);
      if (items?.length !== 20 || total < 1_000)
        throw new Error(`not the page that was asked for: ${body.slice(0, 300)}`);
    },
  };
}
