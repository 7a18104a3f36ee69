import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate } from "node:timers/promises";

/**
 * For this long after the listening socket was closed, connections kept by a proxy may still bring a request. It is answered, and
 * the connection is closed with the answer. A proxy that finds no open socket sends nothing more and has closed its idle
 * connections by then: deploy/nginx.conf keeps connections for half of this time.
 */
const LINGER_MS = 1_000;
/** Maximum wait for a good moment to close the listening socket. */
const ACCEPTING_MS = 5_000;
/** After this, requests in flight are cut off. Together with the drain time it stays below the 40 s that process managers are told to allow. */
const GRACE_PERIOD_MS = 20_000;
const SWEEP_MS = 100;

/**
 * Stops a server: it accepts no new connections, answers the requests in flight, and closes idle connections, which
 * `lingers` delays by a second.
 * @param onAddressClosed called when the listening socket is closed. Answers may close their connections from then on; earlier, a
 *   client that lost its connection would open a new one and run into the close
 */
export async function endConnections(
  server: Server,
  { lingers, onAddressClosed }: { lingers: boolean; onAddressClosed: () => void },
): Promise<void> {
  const closed = once(server, "close");
  await untilAllAccepted();
  // Node's own HTTP close cuts idle connections immediately, possibly while a request is arriving on one.
  NetServer.prototype.close.call(server);
  onAddressClosed();
  if (lingers) await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LINGER_MS))]);
  server.close();
  // A connection that becomes idle after `close` would otherwise delay the end.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const graceTimer = setTimeout(() => server.closeAllConnections(), GRACE_PERIOD_MS);
  await closed;
  clearTimeout(graceTimer);
  clearInterval(sweep);
}

/**
 * Resolves right after a short turn of the event loop, in which the process accepted every waiting client: the system resets clients
 * that wait while the socket is closed, possibly after they sent a request. On a busy machine no turn is short, so the threshold grows
 * with the time waited.
 */
async function untilAllAccepted(): Promise<void> {
  const begun = performance.now();
  for (let now = begun; ; ) {
    const before = now;
    await setImmediate();
    now = performance.now();
    const waited = now - begun;
    if (now - before < SHORT_TURN_MS + waited / 2_000 || waited > ACCEPTING_MS) return;
  }
}

const SHORT_TURN_MS = 0.1;
