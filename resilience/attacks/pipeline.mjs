import { setMaxListeners } from "node:events";
import { connect } from "node:net";

const ANSWER = /HTTP\/1\.1 (\d{3}) /g;

/**
 * Pipelines requests on a few connections without waiting for answers, `ahead` of them in flight on each, until the stage's attack is over. Returns
 * the count of each status. @param requestOf the bytes of the request with this index
 */
export async function pipeline({ port, signal }, { connections, ahead }, requestOf) {
  // Each connection adds listeners to the signal.
  setMaxListeners(0, signal);
  const outcomes = {};
  let index = 0;
  const one = () =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const socket = connect(port, "127.0.0.1");
      let open = 0;
      const fill = () => {
        if (signal.aborted) return socket.destroy();
        const requests = [];
        for (; open < ahead; open += 1) requests.push(requestOf(index++));
        if (requests.length > 0) socket.write(requests.join(""));
      };
      socket.on("connect", fill);
      socket.on("data", (bytes) => {
        for (const [, status] of bytes.toString("latin1").matchAll(ANSWER)) {
          outcomes[status] = (outcomes[status] ?? 0) + 1;
          open -= 1;
        }
        fill();
      });
      socket.on("error", () => {});
      socket.once("close", resolve);
      signal.addEventListener("abort", () => socket.destroy(), { once: true });
    });
  const again = async () => {
    while (!signal.aborted) await one();
  };
  await Promise.all(Array.from({ length: connections }, again));
  return outcomes;
}
