import { isIP } from "node:net";

/** A text as an address, or null. `URL.canParse` of Node 20 answers wrongly once it has been called often. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Whether an address is for this machine only: as `isLoopbackHost` of `@org/http`, which this package does without. */
function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/** Whether nobody on the way can read along: https, or http that does not leave the machine. */
export function isPrivateTransport({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** Hosts of all http and https URLs anywhere in settings, with their ports where they are not the scheme's. */
export function hostsIn(settings: unknown): readonly string[] {
  if (typeof settings === "string") {
    const url = /^https?:\/\//i.test(settings) ? parseUrl(settings) : null;
    return url === null ? [] : [url.host];
  }
  if (typeof settings !== "object" || settings === null) return [];
  return [...new Set(Object.values(settings).flatMap(hostsIn))];
}
