/** Texts of a file that come again and again: days, currencies, numbers of securities. More kinds of them than this are worked out anew. */
const MOST = 2_000;

/** The same function, which keeps what it has answered for a text. */
export function remembered<Answer extends string | boolean | null>(
  answerTo: (text: string) => Answer,
): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const answer = answerTo(text);
    if (known.size < MOST) known.set(text, answer);
    return answer;
  };
}
