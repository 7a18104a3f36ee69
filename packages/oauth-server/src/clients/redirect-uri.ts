/**
 * What is wrong with a redirect URI that a client registers, in words that follow its name; null when it may be used: https,
 * http on a loopback host, or a private-use scheme that is the client's own (RFC 8252 §7): a domain name in reverse, as in
 * `com.example.app:/path`, or that of a known assistant.
 */
export function redirectUriFault(uri: string): string | null {
  if (uri.length > MAX_LENGTH) return `must not be longer than ${MAX_LENGTH} characters`;
  if (uri.includes("#")) return "must not have a fragment";
  if (!URI_CHARACTERS.test(uri)) return "must hold nothing but the characters of a URI, and no wildcard";
  if (!URL.canParse(uri)) return "must be an absolute URI";
  const { protocol, username, password } = new URL(uri);
  if (username !== "" || password !== "") return "must not hold credentials";
  if (protocol === "https:") return WEB_AUTHORITY.test(uri) ? null : "must name a host";
  if (protocol === "http:") return isLoopbackUri(uri) ? null : "must be https unless its host is a loopback address";
  const scheme = protocol.slice(0, -1);
  if (!KNOWN_SCHEMES.has(scheme) && (!REVERSE_DOMAIN.test(scheme) || FOREIGN_SCHEME.test(scheme)))
    return "must not have this scheme; one of the client's own is a domain name in reverse, as in com.example.app:/path";
  return /^[^:]+:\/./.test(uri) ? null : "must have a path, as in scheme:/path";
}

/**
 * Whether a request may name this redirect URI: exactly one that is registered, apart from the port of http on a loopback
 * host, which native apps learn only when they start to listen (RFC 8252 §7.3).
 */
export function matchesRedirectUri(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const wanted = portless(asked);
  return wanted !== null && URL.canParse(asked) && registered.some((uri) => portless(uri) === wanted);
}

/** Whether a URI is http on `127.0.0.1`, `[::1]` or `localhost`: the way back to an app on this computer. */
export function isLoopbackUri(uri: string): boolean {
  return portless(uri) !== null;
}

/** A loopback URI without its port; null for any other. No path is the same as `/`. */
function portless(uri: string): string | null {
  const [, host, rest] = LOOPBACK.exec(uri) ?? [];
  if (host === undefined || rest === undefined) return null;
  return `${host}${rest.startsWith("/") ? "" : "/"}${rest}`;
}

const MAX_LENGTH = 2048;
/** RFC 3986 §2, without `*`. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** Parsers of URLs forgive any number of slashes; what is compared as text must not. */
const WEB_AUTHORITY = /^https:\/\/[^/?]/i;
/** The addresses that RFC 8252 §7.3 names, and `localhost` (§8.3): no others of 127.0.0.0/8, which no app listens on. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?((?:[/?].*)?)$/;
/** A domain name in reverse (RFC 8252 §7.1); schemes without a dot are first come, first served, and mostly somebody else's. */
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/;
/**
 * Schemes without a dot by which assistants that people use today take their codes: Cursor registers `cursor:` along with web
 * addresses, and gives up when one of them is refused. A new one is added here once its maker documents it.
 */
const KNOWN_SCHEMES: ReadonlySet<string> = new Set([
  "claude",
  "cursor",
  "grokbot",
  "raycast",
  "vscode",
  "vscode-insiders",
  "warp",
  "windsurf",
]);
/** Schemes with a dot that browsers and systems open themselves all the same. */
const FOREIGN_SCHEME = /^(?:microsoft|vnd|x-apple|app-prefs|chrome|edge|firefox|opera|brave|vivaldi|safari)\./;
