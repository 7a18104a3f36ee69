/** Once this many texts are cached, the cache starts over. */
const MAX_ENTRIES = 2_000;

/**
 * Caches a function's answers: days, currencies and security identifiers repeat throughout a file.
 * @param longest length up to which a text is cached. V8 copies substrings of a file only up to 12 characters; a longer one keeps the whole file in
 * memory, so a function that outlives the file must not cache it.
 */
export function memoize<Answer extends string | boolean | null>(
  answerTo: (text: string) => Answer,
  longest = Number.POSITIVE_INFINITY,
): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const answer = answerTo(text);
    if (text.length > longest) return answer;
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(text, answer);
    return answer;
  };
}
