/**
 * Why a client may not register a redirect URI, as words that follow its name; null when it is allowed. Allowed are https, http
 * on a loopback host, and a private-use scheme of the client's own (RFC 8252 §7): a reversed domain name, as in
 * `com.example.app:/path`, or the scheme of a known assistant.
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
 * Whether a request may use this redirect URI: it must equal a registered one, except for the port of http on a loopback host,
 * which native apps learn only when they start to listen (RFC 8252 §7.3).
 */
export function matchesRedirectUri(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const wanted = portless(asked);
  return wanted !== null && URL.canParse(asked) && registered.some((uri) => portless(uri) === wanted);
}

/** Whether a URI is http on `127.0.0.1`, `[::1]` or `localhost`, that is an app on this computer. */
export function isLoopbackUri(uri: string): boolean {
  return portless(uri) !== null;
}

/** A loopback URI without its port; null for any other. An empty path equals `/`. */
function portless(uri: string): string | null {
  const [, host, rest] = LOOPBACK.exec(uri) ?? [];
  if (host === undefined || rest === undefined) return null;
  return `${host}${rest.startsWith("/") ? "" : "/"}${rest}`;
}

const MAX_LENGTH = 2048;
/** RFC 3986 §2, without `*`. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** URL parsers accept any number of slashes; URIs that are compared as text must not vary. */
const WEB_AUTHORITY = /^https:\/\/[^/?]/i;
/** The addresses of RFC 8252 §7.3, and `localhost` (§8.3). No app listens on other addresses of 127.0.0.0/8. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?((?:[/?].*)?)$/;
/** A reversed domain name (RFC 8252 §7.1). Schemes without a dot belong to whoever takes them first, and mostly to someone else. */
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/;
/**
 * Schemes without a dot that current assistants use to receive codes. Cursor registers `cursor:` along with web addresses, and
 * fails when one of them is refused. Add one here once its maker documents it.
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
/** Schemes with a dot that browsers and operating systems handle themselves. */
const FOREIGN_SCHEME = /^(?:microsoft|vnd|x-apple|app-prefs|chrome|edge|firefox|opera|brave|vivaldi|safari)\./;
