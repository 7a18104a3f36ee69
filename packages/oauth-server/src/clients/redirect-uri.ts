/**
 * What is wrong with a redirect URI that a client registers, in words that follow its name; null when it may be used: https,
 * http on a loopback host, or a private-use scheme (RFC 8252 §7).
 */
export function redirectUriFault(uri: string): string | null {
  if (uri.length > LONGEST) return `must not be longer than ${LONGEST} characters`;
  if (uri.includes("#")) return "must not have a fragment";
  if (!URI_CHARACTERS.test(uri)) return "must hold nothing but the characters of a URI, and no wildcard";
  if (!URL.canParse(uri)) return "must be an absolute URI";
  const { protocol, username, password } = new URL(uri);
  if (username !== "" || password !== "") return "must not hold credentials";
  if (protocol === "https:") return WEB_AUTHORITY.test(uri) ? null : "must name a host";
  if (protocol === "http:") return isLoopbackUri(uri) ? null : "must be https unless its host is a loopback address";
  if (FOREIGN_SCHEME.test(protocol.slice(0, -1))) return "must not have this scheme";
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

const LONGEST = 2048;
/** RFC 3986 §2, without `*`. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** Parsers of URLs forgive any number of slashes; what is compared as text must not. */
const WEB_AUTHORITY = /^https:\/\/[^/?]/i;
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?((?:[/?].*)?)$/;
/**
 * Schemes that do not lead to the client's own app: a code must not end up on a web page or in a program of the system, nor a
 * script run. Patterns of whole schemes, in lower case.
 */
const FOREIGN_SCHEMES: readonly string[] = [
  // Content, and what browsers run or show themselves.
  "about|blob|cid|content|data|filesystem|jar|javascript|livescript|mhtml|mid|mk|res|resource|urn|vbscript|view-source",
  // Browsers, which would open the address as a web page.
  "brave.*|chrome.*|ddgquicklink|duckduckgo|edge.*|firefox.*|fxfocus|googlechrome.*|microsoft-edge.*|moz-.*|opera.*",
  "safari.*|samsunginternet.*|touch-https?|vivaldi.*|x-safari-.*|x-web-search",
  // Schemes that any web page may have opened on itself (HTML, registerProtocolHandler).
  "(?:web|ext)\\+.*|ircs?|matrix|news|nntp|openpgp4fpr|snews|wtai|xmpp",
  // Systems and their programs.
  "app-prefs.*|applescript|hcp|help|its|microsoft\\..*|ms|ms-.*|prefs|search|search-ms|shell|x-apple.*|x-help.*|x-man-page",
  "android-.*|intent|market|package",
  "appstore|itms|itmss|itms-.*|itunes|macappstores?|maps?|bingmaps|geo|podcast|music",
  // Files and computers elsewhere.
  "afp|cifs|dav|davs|ed2k|file|fish|ftps?|git|gopher|ldap[is]?|magnet|nfs|rdp|rlogin|rtsp|scp|sftp|smb|ssh|svn|telnet|tn3270",
  "ipfs|ipns|vnc|wss?",
  // Calls, messages, feeds and payments.
  "callto|facetime.*|feeds?|im|mailto|mms|mmsto|sips?|sms|smsto|tel|vnd\\..*|webcals?",
  "bitcoin.*|ethereum|lightning|litecoin|monero",
];
const FOREIGN_SCHEME = new RegExp(`^(?:${FOREIGN_SCHEMES.join("|")})$`);
