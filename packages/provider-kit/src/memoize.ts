/** More texts than this are forgotten, and remembered anew. */
const MAX_ENTRIES = 2_000;

/**
 * The same function, which remembers what it has answered: days, currencies and numbers of securities come again and again in a file.
 * @param longest characters of a text that is remembered. V8 copies what it cuts out of a file only up to 12: a longer text keeps all of the
 * file in memory, and is nothing to remember for a function that outlives it.
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
