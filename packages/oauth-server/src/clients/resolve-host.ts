import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";

/**
 * All addresses of a host by the name servers of the system, or by these. Nothing when it has none, or when none of them answers
 * within two seconds of its own; rejects once the signal aborts.
 *
 * It asks the network directly (c-ares). `dns.lookup` would occupy one of the few threads of this process for as long as a name
 * server keeps silent, and a stranger who picks the names could stop every other look-up, those of the database included. Names
 * that only `/etc/hosts` knows are not found: none of them is on the public internet.
 */
export async function resolveHost(
  host: string,
  signal: AbortSignal,
  nameServers?: readonly string[],
): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: ANSWER_MILLISECONDS, tries: 1 });
  if (nameServers) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.throwIfAborted();
    return answers.flatMap((answer, index) =>
      answer.status === "rejected" ? [] : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
    );
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

const ANSWER_MILLISECONDS = 2000;
