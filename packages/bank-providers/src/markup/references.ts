const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", nbsp: "\u00A0", quot: '"', apos: "'" };

/**
 * Replaces `&amp; &lt; &gt; &nbsp; &quot; &apos;` and numeric references. Any other `&` stays, since banks write "AT&T" as it
 * is. Null when a number names no character that text may hold (controls, surrogates, beyond Unicode).
 */
export function decodeReferences(text: string): string | null {
  if (!text.includes("&")) return text;
  let allowed = true;
  const decoded = text.replace(
    /&(?:#(\d{1,8})|#x([0-9a-f]{1,8})|(amp|lt|gt|nbsp|quot|apos));/gi,
    (all, ten, sixteen, name) => {
      if (name !== undefined) return named[String(name).toLowerCase()] ?? all;
      const code = ten === undefined ? Number.parseInt(sixteen, 16) : Number.parseInt(ten, 10);
      if (!isTextCharacter(code)) allowed = false;
      return allowed ? String.fromCodePoint(code) : "";
    },
  );
  return allowed ? decoded : null;
}

function isTextCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
