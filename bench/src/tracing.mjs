import { once } from "node:events";
import { createServer } from "node:http";
import { goal, medianRatio } from "./measuring/figures.mjs";
import { measureSideBySide, tablesOf } from "./measuring/side-by-side.mjs";
import { publishHoldings } from "./product/holdings.mjs";
import { accessToken, copyServer, installOnPostgres, refusesNothing } from "./product/installation.mjs";
import { beginSession, callJob, compareItems } from "./product/mcp-requests.mjs";

const HOLDINGS = 10_000;

/**
 * What traces cost a tool call: the server without them, with every call recorded, and with one in twenty, on one database. The collector accepts
 * everything and parses nothing. With `against`, also the built server of another checkout.
 */
export async function run({ databaseUrl, against, rounds = 2, turns = 7, seconds = 0.7 }) {
  const fill = ({ storage, credentials }) => publishHoldings(storage, credentials.demo.tenant, HOLDINGS);
  // If other work is running, a server that sheds load would refuse some of the calls.
  const product = await installOnPostgres(databaseUrl, fill, refusesNothing);
  const collector = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(200, { "content-type": "application/x-protobuf" }).end());
  });
  await once(collector.listen(0, "127.0.0.1"), "listening");
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}` };
  const sampled = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.05" };
  const before = against === undefined ? null : copyServer(against);
  const starts = {
    off: {},
    ...(before !== null && { before: { file: before.file, logFile: before.logFile } }),
    "one in twenty": { env: { ...traced, ...sampled } },
    all: { env: traced },
  };
  const { demo } = product.credentials;
  const targets = Object.fromEntries(
    Object.entries(starts).map(([name, options]) => [
      name,
      async () => {
        const server = await product.start(options);
        const token = await accessToken(server, demo);
        return { server, client: { era: "legacy", token, session: await beginSession(server.port, token) } };
      },
    ]),
  );
  try {
    const raw = await measureSideBySide(targets, { rounds, turns, seconds, jobOf: callJob, compare: compareItems });
    const cpuOf = (name) => medianRatio(raw, "cpu", name, "off", { connections: 16 });
    return {
      title: "What traces cost a tool call",
      notes: `Medians of ${rounds} rounds of ${turns} turns of ${seconds} s; a ratio is the median of the ratios within a turn. Every call is five to ten spans.`,
      tables: tablesOf(raw, "off"),
      goals: [goal("one trace in twenty: CPU of no traces, c = 16", cpuOf("one in twenty"), { atMost: 1.25 })],
      raw,
    };
  } finally {
    collector.close();
    collector.closeAllConnections();
    await product.remove();
  }
}
