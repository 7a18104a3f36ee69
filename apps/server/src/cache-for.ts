/**
 * How long the console caches which tenants are disabled (their people are signed out within 5 s, like their applications), the last event
 * numbers of logs, and whether there are people.
 */
const REMEMBERED_MS = 2_000;

/** Caches the result of `look` for {@link REMEMBERED_MS}. Concurrent callers share one call; a failed call is not cached. */
export function cacheFor<T>(clock: () => Date, look: () => Promise<T>): () => Promise<T> {
  let known: { readonly at: number; readonly found: Promise<T> } | null = null;
  return () => {
    const at = clock().getTime();
    if (known !== null && at - known.at < REMEMBERED_MS) return known.found;
    const asked = { at, found: look() };
    known = asked;
    asked.found.catch(() => {
      if (known === asked) known = null;
    });
    return asked.found;
  };
}
