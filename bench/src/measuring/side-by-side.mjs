import { median, medianRatio } from "./figures.mjs";
import { load } from "./load.mjs";

const CONCURRENCIES = [1, 16, 64];
/** Limited by calls, so that the code is compiled on a slow machine too. */
const WARM_UP = { connections: 16, seconds: 30, maxCalls: 5_000 };

/**
 * Loads servers side by side. Each round starts every server anew and loads them in short turns in alternating order, so that other work on the
 * machine affects all of them alike.
 *
 * `targets` maps names to functions that start a server and return it with the client that calls it. `jobOf(client)` creates what one connection of a
 * client sends, see `load`; `compare(running)` throws unless all servers do the same work. Returns a row per turn.
 */
export async function measureSideBySide(targets, { rounds, turns, seconds, jobOf, compare = async () => {} }) {
  const raw = [];
  for (let round = 1; round <= rounds; round += 1)
    raw.push(...(await measureRound(targets, round, { turns, seconds, jobOf, compare })));
  return raw;
}

/** A table per number of connections. `floor` is the target that the others are compared with. */
export function tablesOf(raw, floor) {
  const targets = [...new Set(raw.map((row) => row.target))];
  return CONCURRENCIES.map((connections) => {
    const of = (target, field) =>
      median(raw.filter((row) => row.target === target && row.connections === connections).map((row) => row[field]));
    const against = (field, target) => medianRatio(raw, field, target, floor, { connections });
    return {
      caption: `c = ${connections}`,
      head: ["server", "calls/s", `of ${floor}`, "p50 ms", "p99 ms", "CPU µs/call", `CPU of ${floor}`, "memory MB"],
      rows: targets.map((target) => [
        target,
        of(target, "perSecond"),
        against("perSecond", target),
        of(target, "p50"),
        of(target, "p99"),
        of(target, "cpu"),
        against("cpu", target),
        of(target, "resident"),
      ]),
    };
  });
}

/** All servers are running; those without load are idle. */
async function measureRound(targets, round, { turns, seconds, jobOf, compare }) {
  const running = [];
  const raw = [];
  try {
    for (const [target, start] of Object.entries(targets)) running.push({ target, ...(await start()) });
    await compare(running);
    for (const { server, client } of running)
      await load({ port: server.port, ...WARM_UP, job: (index) => jobOf(client, index) });
    for (const connections of CONCURRENCIES)
      for (let turn = 1; turn <= turns; turn += 1)
        for (const one of turn % 2 === 0 ? running.toReversed() : running)
          raw.push({
            target: one.target,
            connections,
            round,
            turn,
            ...(await measure(one, { connections, seconds, jobOf })),
          });
  } finally {
    await Promise.all(running.map(({ server }) => server.stop()));
  }
  return raw;
}

async function measure({ server, client }, { connections, seconds, jobOf }) {
  const before = server.cpuMicroseconds();
  const { calls, perSecond, p50, p99 } = await load({
    port: server.port,
    connections,
    seconds,
    job: (index) => jobOf(client, index),
  });
  const cpu = (server.cpuMicroseconds() - before) / calls;
  return { perSecond, p50, p99, cpu, resident: server.residentMegabytes() };
}
