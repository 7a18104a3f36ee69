import { type Html, html } from "@org/pages";

/**
 * A text that a stranger chose, fit to be read beside our own: without what is invisible or turns the direction of writing
 * (Unicode TR 36, 3), in one line, at most `longest` characters. Null when nothing legible is left.
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

/** A host that a stranger chose: of a long one its end, from a dot on, since the end says whose it is. */
export function claimedHost(host: string): string | null {
  const legible = claimedText(host, Number.POSITIVE_INFINITY);
  if (legible === null || legible.length <= MAX_HOST_LENGTH) return legible;
  const end = legible.slice(-MAX_HOST_LENGTH);
  return `…${end.slice(end.indexOf(".") + 1)}`;
}

/**
 * An address that a stranger chose, with its host as the network knows it (ASCII) and without a user name before it, which
 * could pass for a host.
 */
export function claimedAddress(address: string): string | null {
  if (!URL.canParse(address)) return claimedText(address, MAX_PATH_LENGTH);
  const { protocol, host, pathname, search, hash } = new URL(address);
  const authority = host === "" ? "" : `//${claimedHost(host)}`;
  return `${protocol}${authority}${claimedText(`${pathname}${search}${hash}`, MAX_PATH_LENGTH) ?? ""}`;
}

/** A name that somebody chose, isolated from the direction of the text around it and cut to what a name needs. */
export function displayName(name: string, otherwise: string): Html {
  return html`<bdi>${claimedText(name, MAX_NAME_LENGTH) ?? otherwise}</bdi>`;
}

/** What a name needs. */
const MAX_NAME_LENGTH = 60;
/** Long enough for every honest host and path, short enough that the page keeps its shape. */
const MAX_HOST_LENGTH = 64;
const MAX_PATH_LENGTH = 80;

/** Controls, format characters (direction, zero width, tags), private use, and letters that draw nothing. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\p{Variation_Selector}|\u034f|\u17b4|\u17b5/gu;

/** More marks on a letter than any language needs; they would cover the lines around. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
