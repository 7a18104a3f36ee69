/**
 * For how long the console remembers which tenants are switched off (their people are out within 5 s, as their applications are), how far
 * logs go, and whether there are people.
 */
const REMEMBERED_MS = 2_000;

/** What `look` found, for {@link REMEMBERED_MS}. Whoever asks meanwhile has the same look; one that failed is remembered by nobody. */
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
