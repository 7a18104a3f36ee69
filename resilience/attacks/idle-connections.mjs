import { setMaxListeners } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expectOk } from "./stage.mjs";

export const title = "9,000 idle connections of nine addresses of one network";
export const variants = { nine: {} };

/** Each opens a new connection, as a visitor of another network does. */
export const honest = {
  search: ({ honest: tenant, post }) => expectOk(post(tenant, "/letters/v1/search-letters", { query: {} })),
  visitor: ({ send }) => expectOk(send({ method: "GET", path: "/console", localAddress: "127.77.7.7" })),
};

export async function attack({ port, signal, begun }) {
  setMaxListeners(0, signal);
  const outcomes = {};
  const count = (outcome) => {
    if (!signal.aborted) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const keepOpen = async (index) => {
    while (!signal.aborted) {
      await oneConnection({ port, host: "127.0.0.1", localAddress: `127.1.1.${1 + (index % 9)}` }, signal, count);
      await delay(1_000);
    }
  };
  const all = [];
  for (let index = 0; index < 9_000; index += 1) {
    all.push(keepOpen(index));
    if (index % 200 === 0) await delay(100);
  }
  await delay(4_000);
  begun();
  await Promise.all(all);
  return { outcomes, answered: { requests: 1, p50: 1, p99: 1, longest: 1 }, refused: { requests: 0 } };
}

/** One answered request, then idle for as long as the server allows. */
function oneConnection(to, signal, count) {
  return new Promise((resolve) => {
    const socket = connect(to);
    socket.on("connect", () => socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    socket.on("data", (bytes) => count(bytes.toString("latin1").slice(9, 12)));
    socket.on("error", ({ code }) => count(code));
    socket.once("close", resolve);
    signal.addEventListener("abort", () => socket.destroy(), { once: true });
  });
}
