import type { CallTurns, Runtime, Sleep } from "@org/core";
import { MAX_WAIT_MS, type Pace } from "@org/provider-kit";

/**
 * Institutions count requests when they arrive, and some requests take longer to arrive than others. Windows are therefore longer than
 * stated, by a tenth and by at most a quarter of a second.
 */
const MARGIN = { part: 0.1, most: 250 };

/** A {@link Pace} that all servers share. Keys are stored as keyed hashes, because they may contain a customer's token. */
export function createSharedPace({
  provider,
  turns,
  mac,
  sleep,
}: {
  provider: string;
  turns: CallTurns;
  mac: Runtime["mac"];
  sleep: Sleep;
}): Pace {
  return async (key, limits, signal, longestMs = MAX_WAIT_MS) => {
    signal.throwIfAborted();
    const kept = limits.map(({ every_ms, calls }) => ({
      every_ms: Math.ceil(every_ms + Math.min(MARGIN.most, every_ms * MARGIN.part)),
      calls,
    }));
    const longest = Math.min(longestMs, MAX_WAIT_MS);
    const { granted, wait_ms } = await turns.take(mac("pace", JSON.stringify([provider, key])), kept, longest);
    if (!granted) return { retry_after: Math.ceil(wait_ms / 1_000) };
    if (wait_ms > 0) await sleep(wait_ms, signal);
    return null;
  };
}
