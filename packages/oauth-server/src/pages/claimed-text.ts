import { type Html, html } from "@org/pages";

/**
 * Makes a text from an untrusted source safe to display: removes invisible characters and those that change the writing
 * direction (Unicode TR 36, 3), joins lines, and cuts it to `longest` characters. Null when nothing legible is left.
 */
export function claimedText(text: string, longest: number): string | null {
  const legible = text
    .toWellFormed()
    .replace(/[^\S\ufeff]+/gu, " ")
    .replace(UNSEEN, "")
    .replace(PILED_MARKS, "$1")
    .trim();
  if (legible === "" || legible === "\ufffd") return null;
  const characters = [...legible];
  if (characters.length <= longest) return legible;
  return `${characters
    .slice(0, longest - 1)
    .join("")
    .trimEnd()}…`;
}

/**
 * Makes a host from an untrusted source safe to display. Of a long host only the end is shown, starting after a dot, because
 * the end says who owns it.
 */
export function claimedHost(host: string): string | null {
  const legible = claimedText(host, Number.POSITIVE_INFINITY);
  if (legible === null || legible.length <= MAX_HOST_LENGTH) return legible;
  const end = legible.slice(-MAX_HOST_LENGTH);
  return `…${end.slice(end.indexOf(".") + 1)}`;
}

/**
 * Makes a URL from an untrusted source safe to display: with the host in ASCII and without a user name before it, which could
 * pass for a host.
 */
export function claimedAddress(address: string): string | null {
  if (!URL.canParse(address)) return claimedText(address, MAX_PATH_LENGTH);
  const { protocol, host, pathname, search, hash } = new URL(address);
  const authority = host === "" ? "" : `//${claimedHost(host)}`;
  return `${protocol}${authority}${claimedText(`${pathname}${search}${hash}`, MAX_PATH_LENGTH) ?? ""}`;
}

/** Displays a name from an untrusted source, isolated from the surrounding text direction and shortened. */
export function displayName(name: string, otherwise: string): Html {
  return html`<bdi>${claimedText(name, MAX_NAME_LENGTH) ?? otherwise}</bdi>`;
}

const MAX_NAME_LENGTH = 60;
/** Long enough for every honest host and path, short enough to keep the page layout. */
const MAX_HOST_LENGTH = 64;
const MAX_PATH_LENGTH = 80;

/** Control and format characters (direction, zero width, tags), private use, and letters that render as blank. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\p{Variation_Selector}|\u034f|\u17b4|\u17b5/gu;

/** More combining marks on a letter than any language needs; they would cover neighbouring lines. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
