import { addressRule, loopbackOf } from "@org/http";

const MAX_LENGTH = 2_000;

/** Why a text is not a valid endpoint URL; null = it is. The addresses of its host are resolved and checked at each connection. */
export function endpointUrlFault(text: string): string | null {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // `URL` drops some of them, so that the URL would differ from the displayed one.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return "must have no spaces, control characters or backslashes";
  const url = parsed(text);
  if (url === null) return "must be an absolute https URL";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isThisMachine(url.hostname)))
    return "must be https (http to this machine only)";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password";
  if (url.hash !== "") return "must not contain a fragment";
  return null;
}

/**
 * Why an endpoint's URL is refused; null = it is not. Plain http is allowed only to networks that the installation names.
 * @param privateNetworks CIDR blocks that may be reached besides the public internet
 */
export function endpointUrlRule(privateNetworks: readonly string[]): (url: string) => string | null {
  const rule = addressRule(privateNetworks);
  return (url) => {
    const fault = endpointUrlFault(url);
    if (fault !== null || !url.toLowerCase().startsWith("http:")) return fault;
    const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
    const addresses = loopbackOf(host)?.map(({ address }) => address) ?? [host];
    if (addresses.some(rule.mayReachInClear)) return null;
    return "must be https: WEBHOOK_PRIVATE_NETWORKS does not name this machine";
  };
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** `URL` normalizes any notation of an IPv4 address to four decimal numbers. */
function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
