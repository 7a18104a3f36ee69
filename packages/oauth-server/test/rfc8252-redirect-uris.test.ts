import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLoopbackUri, matchesRedirectUri, redirectUriFault } from "../src/clients/redirect-uri.js";

describe("[security.md] RFC 8252 redirect URIs that may be registered", () => {
  it.each([
    "https://claude.ai/api/mcp/auth_callback",
    "https://claude.com/api/mcp/auth_callback",
    "https://chatgpt.com/connector_platform_oauth_redirect",
    "https://vscode.dev/redirect",
    "https://client.example",
    "https://client.example:8443/cb?a=b&c=%20",
    "http://127.0.0.1",
    "http://127.0.0.1/",
    "http://127.0.0.1:33418/",
    "http://127.0.0.1:49152/callback/a1b2",
    "http://[::1]:8080/cb",
    "http://localhost:6274/oauth/callback",
    "http://localhost:8787/callback",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://publisher.extension/path",
    "vscode-insiders://publisher.extension/path",
    "windsurf://codeium.windsurf/oauth",
    "claude://callback/mcp",
    "raycast://oauth?package=mcp",
    "warp://mcp/oauth2callback",
    "grokbot://mcp/oauth/callback",
    "com.raycast:/oauth",
    "com.opera.app:/cb",
    "com.example.app:/oauth2redirect/provider",
    "com.example.app:///oauth2redirect",
    `https://client.example/${"a".repeat(2048 - 23)}`,
  ])("%s", (uri) => expect(redirectUriFault(uri)).toBeNull());
});

describe("[security.md] RFC 8252 redirect URIs that are refused", () => {
  it.each([
    ["javascript:alert(1)", "scheme"],
    ["JavaScript://client.example/%0aalert(1)", "scheme"],
    ["data:text/html,x", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["vbscript:x", "scheme"],
    ["blob:https://client.example/1", "scheme"],
    ["about:blank", "scheme"],
    ["ws://client.example/", "scheme"],
    ["wss://client.example/", "scheme"],
    ["ftp://client.example/", "scheme"],
    ["mailto:a", "scheme"],
    ["urn:ietf:wg:oauth:2.0:oob", "scheme"],
    ["view-source:https://client.example/", "scheme"],
    ["intent://client.example/", "scheme"],
    ["https://client.example/#", "fragment"],
    ["https://client.example/cb#x", "fragment"],
    ["cursor://host/cb#x", "fragment"],
    ["https://user@client.example/", "credentials"],
    ["https://user:pw@client.example/", "credentials"],
    ["http://user@127.0.0.1/", "credentials"],
    ["cursor://user@host/cb", "credentials"],
    ["http://client.example/cb", "loopback"],
    ["http://127.0.0.1.client.example/", "loopback"],
    ["http://localhost.client.example/", "loopback"],
    ["http://localhost./", "loopback"],
    ["http://127.0.0.2/", "loopback"],
    ["http://127.1/", "loopback"],
    ["http://0.0.0.0/", "loopback"],
    ["http://[::]/", "loopback"],
    ["http:localhost/", "loopback"],
    ["https://*.client.example/", "characters"],
    ["https://client.example/*", "characters"],
    ["https://client.example\\@other.example/", "characters"],
    ["https://client.example/ä", "characters"],
    ["https://client.example/a b", "characters"],
    ["https://client.example/\r\nSet-Cookie: a=b", "characters"],
    ["https://client.example/\0", "characters"],
    ["java\tscript:alert(1)", "characters"],
    ["", "characters"],
    ["/callback", "absolute"],
    ["//client.example/cb", "absolute"],
    ["http://127.0.0.1:65536/", "absolute"],
    ["https:///client.example/cb", "host"],
    ["https:client.example/cb", "host"],
    ["com.example.app:cb", "path"],
    ["com.example.app:/", "path"],
    [`https://client.example/${"a".repeat(2048 - 22)}`, "2048"],
  ])("%j", (uri, reason) => expect(redirectUriFault(uri)).toContain(reason));
});

describe("[security.md] [C-9.63] a scheme of others is refused: private-use ones are domain names in reverse", () => {
  it.each(
    [
      "googlechrome googlechromes chrome chrome-extension edge microsoft-edge microsoft-edge-https firefox firefox-focus",
      "brave opera opera-http x-safari-https x-safari-http x-web-search moz-extension web+client ext+client",
      "ms ms-word ms-settings ms-msdt ms-officecmd search search-ms hcp ms-its mhtml itms itms-apps itms-services rdp",
      "gopher ldap ldaps nfs afp smb sftp ssh telnet tel sms mms facetime facetime-audio callto sip sips geo market intent",
      "android-app view-source jar resource res vnd.youtube webcal feed magnet bitcoin bitcoincash data mailto urn file",
      "zoommtg zoomus msteams slack tg whatsapp skype spotify steam notion x-apple.systempreferences microsoft.windows.camera",
      "myapp cursors vscodium web+com.example ext+com.example com..example com. .com",
    ].flatMap((line) => line.split(" ")),
  )("%s", (scheme) => {
    const refused = /^must (not have this scheme|be an absolute URI)/;
    expect(redirectUriFault(`${scheme}://client.example/cb`)).toMatch(refused);
    expect(redirectUriFault(`${scheme.toUpperCase()}:/cb`)).toMatch(refused);
  });
});

describe("[security.md] a request names a registered URI exactly, apart from the loopback port", () => {
  it.each([
    ["https://client.example/cb", "https://client.example/cb", true],
    ["https://client.example/cb", "https://client.example/cb/", false],
    ["https://client.example/cb", "https://client.example/cb?", false],
    ["https://client.example/cb", "https://client.example:443/cb", false],
    ["https://client.example/cb", "https://CLIENT.example/cb", false],
    ["https://client.example/cb", "https://client.example/%63b", false],
    ["https://client.example/cb", "https://client.example/cb#", false],
    ["https://client.example/cb", "http://client.example/cb", false],
    ["https://localhost:1/cb", "https://localhost:2/cb", false],
    ["cursor://host:1/cb", "cursor://host:2/cb", false],
    ["http://127.0.0.1/", "http://127.0.0.1:33418/", true],
    ["http://127.0.0.1", "http://127.0.0.1:33418/", true],
    ["http://127.0.0.1/", "http://127.0.0.1:33418", true],
    ["http://127.0.0.1:1/cb?a=b", "http://127.0.0.1:2/cb?a=b", true],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1/cb", true],
    ["http://[::1]:1/cb", "http://[::1]:2/cb", true],
    ["http://localhost:1/cb", "http://localhost:2/cb", true],
    ["http://localhost:1/cb", "http://127.0.0.1:1/cb", false],
    ["http://127.0.0.1:1/cb", "http://[::1]:1/cb", false],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:2/other", false],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb?a=b", false],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb#x", false],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:99999/cb", false],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:/cb", false],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:2@other.example/cb", false],
    ["http://127.0.0.1:1/cb", "http://user@127.0.0.1:2/cb", false],
  ])("registered %s, asked %s: %s", (registered, asked, matches) => {
    expect(matchesRedirectUri([registered], asked)).toBe(matches);
    expect(matchesRedirectUri(["https://other.example/", registered], asked)).toBe(matches);
    expect(matchesRedirectUri([], asked)).toBe(false);
  });

  const port = fc.integer({ min: 1, max: 65535 });
  const rest = fc.webPath().map((path) => path.replaceAll("*", "") || "/");
  const host = fc.constantFrom("127.0.0.1", "[::1]", "localhost");

  it("any loopback URI matches itself on any port, and nothing that differs otherwise", () => {
    fc.assert(
      fc.property(host, host, port, port, rest, rest, (host1, host2, port1, port2, rest1, rest2) => {
        const registered = `http://${host1}:${port1}${rest1}`;
        expect(redirectUriFault(registered)).toBeNull();
        expect(matchesRedirectUri([registered], `http://${host1}:${port2}${rest1}`)).toBe(true);
        const same = host1 === host2 && rest1 === rest2;
        expect(matchesRedirectUri([registered], `http://${host2}:${port2}${rest2}`)).toBe(same);
      }),
    );
  });

  it("nothing else matches but what is equal", () => {
    const anything = fc.oneof(fc.webUrl({ validSchemes: ["https", "http", "ftp"] }), fc.string());
    fc.assert(
      fc.property(anything, anything, (registered, asked) => {
        if (!isLoopbackUri(registered)) expect(matchesRedirectUri([registered], asked)).toBe(registered === asked);
      }),
    );
  });
});

it.each([
  ["http://127.0.0.1:1/cb", true],
  ["http://[::1]/", true],
  ["http://localhost:8787/callback", true],
  ["https://localhost/", false],
  ["http://localhost.example/", false],
  ["cursor://localhost/cb", false],
])("%s leads to an app on this computer: %s", (uri, isLocal) => expect(isLoopbackUri(uri)).toBe(isLocal));
