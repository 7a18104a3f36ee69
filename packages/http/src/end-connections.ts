import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate } from "node:timers/promises";

/**
 * For so long after the address was closed, connections that a proxy keeps may still bring a request: it is answered, and the
 * connection closed with the answer. A proxy that finds no open address any more sends none from then on, and has closed what it kept
 * idle: deploy/nginx.conf keeps connections for half of this time.
 */
const LINGER_MS = 1_000;
/** The longest wait for a moment to close the address in. */
const ACCEPTING_MS = 5_000;
/** What is in flight then is cut. Together with the time for draining it is less than the 40 s that process managers are told to give. */
const GRACE_PERIOD_MS = 20_000;
const SWEEP_MS = 100;

/**
 * Ends a server: nobody can connect any more, what is in flight is answered, and connections without a request are closed, which
 * `lingers` puts off for a second.
 * @param onAddressClosed called in the moment in which nobody can connect any more: answers may close their connections from then on.
 *   Before, whoever lost a kept one would open a new one, and meet that moment
 */
export async function endConnections(
  server: Server,
  { lingers, onAddressClosed }: { lingers: boolean; onAddressClosed: () => void },
): Promise<void> {
  const closed = once(server, "close");
  await untilAllAccepted();
  // Node's own HTTP close cuts idle connections at once, maybe under a request that is on its way.
  NetServer.prototype.close.call(server);
  onAddressClosed();
  if (lingers) await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LINGER_MS))]);
  server.close();
  // Connections whose last request is answered only now would hold up the end.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const graceTimer = setTimeout(() => server.closeAllConnections(), GRACE_PERIOD_MS);
  await closed;
  clearTimeout(graceTimer);
  clearInterval(sweep);
}

/**
 * Resolves right after a short turn of the event loop, in which it has accepted whoever was waiting: who waits while the address is
 * closed is reset by the system, maybe with a request that was sent already. On a machine with too much to do no turn is short; the longer
 * it has waited, the longer a turn will do.
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
