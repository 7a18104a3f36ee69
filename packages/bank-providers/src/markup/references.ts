const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", nbsp: "\u00A0", quot: '"', apos: "'" };

/**
 * Replaces `&amp; &lt; &gt; &nbsp; &quot; &apos;` and numeric references. Any other `&` stays, since banks write "AT&T" unescaped. Null if a
 * number stands for a character that text must not contain (controls, surrogates, beyond Unicode).
 */
export function decodeReferences(text: string): string | null {
  let decoded = "";
  let from = 0;
  let end = -1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", Math.max(at + 1, from))) {
    // Searched again only after it is passed, so that many `&` without `;` take linear time.
    if (end < at) end = text.indexOf(";", at);
    if (end < 0) break;
    if (end - at > MAX_LENGTH) continue;
    const character = characterOf(text.slice(at + 1, end));
    if (character === null) return null;
    if (character === undefined) continue;
    decoded += text.slice(from, at) + character;
    from = end + 1;
  }
  return from === 0 ? text : decoded + text.slice(from);
}

const MAX_LENGTH = "&#xFFFFFFFF".length;

/** The character of a reference; null for a character that is not allowed, undefined if it is not a reference. */
function characterOf(reference: string): string | null | undefined {
  if (!reference.startsWith("#")) {
    const name = reference.toLowerCase();
    return Object.hasOwn(named, name) ? named[name] : undefined;
  }
  const [, ten, sixteen] = /^#(?:(\d{1,8})|x([0-9a-f]{1,8}))$/i.exec(reference) ?? [];
  if (ten === undefined && sixteen === undefined) return undefined;
  const code = ten === undefined ? Number.parseInt(sixteen ?? "", 16) : Number.parseInt(ten, 10);
  return isTextCharacter(code) ? String.fromCodePoint(code) : null;
}

function isTextCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
