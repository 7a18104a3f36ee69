import type { Steps } from "@org/provider-kit";
import type { Runtime } from "./ports/runtime.js";

/** How long work may block the event loop, in milliseconds. */
const TURN_MS = 10;

/** Lets other work run on the event loop. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resume) => {
    setImmediate(resume);
  });
}

/** Lets other work run on the event loop every ten milliseconds of long work. */
export interface EventLoopYielder {
  /** Whether the work has run for that long; the caller then awaits {@link EventLoopYielder.turn}. */
  isDue(): boolean;
  turn(): Promise<void>;
}

/**
 * An {@link EventLoopYielder} for work that starts now.
 * @param wait waits until the work of whoever pays for it may go on, null when that is now; see {@link waitOf}
 */
export function createEventLoopYielder(wait: () => Promise<void> | null = () => null): EventLoopYielder {
  let turnAt = performance.now();
  return {
    isDue: () => performance.now() - turnAt > TURN_MS,
    async turn() {
      await (wait() ?? yieldToEventLoop());
      turnAt = performance.now();
    },
  };
}

/** Lets work wait that a tenant pays for, or, for null, the operators. */
export function waitOf(loop: Runtime["loop"], tenantId: string | null): () => Promise<void> | null {
  return () => loop?.wait(() => ({ name: tenantId ?? "operators", isKnown: true })) ?? null;
}

/** Runs work in its steps, and lets other work run between them whenever that is due. */
export async function runInSteps<T>(steps: Steps<T>, pace: EventLoopYielder): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (pace.isDue()) await pace.turn();
  }
}
