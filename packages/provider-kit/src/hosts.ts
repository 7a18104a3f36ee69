import { isIP } from "node:net";

/** Characters of a domain (RFC 1035). */
const MAX_DOMAIN = 253;

/** Parses a URL; null if it is none. In Node 20, `URL.canParse` returns wrong answers after many calls. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/**
 * The domain of an institution's website, in lower case and without `www.`, which may prove that other rows are of the same one (`identifiers`);
 * null if the address has none, such as one by number.
 */
export function domainOf(website: string | null | undefined): string | null {
  const { protocol = "", hostname = "" } = parseUrl(website ?? "") ?? {};
  const domain = hostname.replace(/^www\./, "");
  const labels = domain.split(".");
  const isDomain =
    /^https?:$/.test(protocol) &&
    domain.length <= MAX_DOMAIN &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9-]+$/.test(label) && !label.startsWith("-") && !label.endsWith("-")) &&
    /^[a-z]/.test(labels.at(-1) as string);
  return isDomain ? domain : null;
}

/** Whether a host name is this machine only. Same as `isLoopbackHost` of `@org/http`, on which this package does not depend. */
function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/** Whether the connection cannot be read on the way: https, or http that stays on this machine. */
export function isPrivateTransport({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** The hosts of all http and https URLs in the settings, with the port if it is not the scheme's default. */
export function hostsIn(settings: unknown): readonly string[] {
  if (typeof settings === "string") {
    const url = /^https?:\/\//i.test(settings) ? parseUrl(settings) : null;
    return url === null ? [] : [url.host];
  }
  if (typeof settings !== "object" || settings === null) return [];
  return [...new Set(Object.values(settings).flatMap(hostsIn))];
}
