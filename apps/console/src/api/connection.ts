import { createStored } from "../shell/stored.js";

/** Whether the server answers. A failed call sets it to `away`; the server is then polled until it answers. */
export const connection = createStored<"there" | "away">("there");

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

/** Called when the server is back, since what is on screen may be stale. */
const returned = new Set<() => void>();

/** @returns a function that removes the listener */
export function onServerReturn(listener: () => void): () => void {
  returned.add(listener);
  return () => returned.delete(listener);
}

/** Reports that the server did not answer. @param ask resolves once it does */
export function reportServerUnavailable(ask: () => Promise<unknown>): void {
  if (connection.get() === "away") return;
  connection.set("away");
  void askUntilBack(ask);
}

async function askUntilBack(ask: () => Promise<unknown>): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    await pauseOrOnline(pause);
    try {
      await ask();
    } catch {
      continue;
    }
    connection.set("there");
    for (const listener of returned) listener();
    return;
  }
}

/** Ends the pause early when the browser comes back online. */
function pauseOrOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
  });
}
