import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/**
 * An institution on loopback that refuses what is above its limits (429), and counts. Limits hold for the application, or for each key.
 * @param answerMs how long it takes to answer
 */
export async function startInstitution({ limits, isShared, answerMs = 0 }) {
  const arrivals = new Map();
  const counts = { calls: 0, refused: 0, most: 0 };
  const server = createServer(async (request, response) => {
    const now = performance.now();
    const key = isShared ? "" : request.headers["x-key"];
    const before = arrivals.get(key) ?? [];
    const full = limits.some(({ every_ms, calls }) => before.filter((at) => at > now - every_ms).length >= calls);
    counts.calls += 1;
    if (full) counts.refused += 1;
    else {
      const longest = Math.max(...limits.map(({ every_ms }) => every_ms));
      const kept = [...before.filter((at) => at > now - longest), now];
      arrivals.set(key, kept);
      counts.most = Math.max(counts.most, kept.length);
    }
    if (answerMs > 0) await delay(answerMs);
    response.writeHead(full ? 429 : 200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base_url: `http://127.0.0.1:${server.address().port}`,
    counts,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
