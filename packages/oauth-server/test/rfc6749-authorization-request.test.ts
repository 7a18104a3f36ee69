import { describe, expect, it } from "vitest";
import { authorization, returned } from "./authorization.js";
import { install } from "./harness.js";

describe("[security.md] RFC 6749 §4.1.1: the authorization request", () => {
  const pages: [string, Record<string, string>, RegExp][] = [
    ["an unknown client", { client_id: "wcd_unknown" }, /not registered|unknown/i],
    ["no client", { client_id: "" }, /client_id is missing/],
    ["no redirect_uri", { redirect_uri: "" }, /redirect_uri is missing/],
    ["another redirect_uri", { redirect_uri: "https://evil.example/callback" }, /redirect_uri/],
    ["a longer redirect_uri", { redirect_uri: "https://client.example/callback/" }, /redirect_uri/],
    ["a redirect_uri with a query", { redirect_uri: "https://client.example/callback?x=1" }, /redirect_uri/],
    ["a client id of 5,000 characters", { client_id: "x".repeat(5000) }, /client/],
  ];
  it.each(pages)("%s is answered with a page, 400, and never leads anywhere", async (_, change, text) => {
    const at = await install();
    const { url, browser } = await authorization(at);
    const page = await browser.open(url(change));
    expect(page.status).toBe(400);
    expect(page.headers.get("location")).toBeNull();
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.text).toMatch(text);
    expect(page.html).not.toContain("evil.example");
  });

  it.each(["client_id", "redirect_uri"])("a repeated %s is answered with a page", async (name) => {
    const at = await install();
    const { url, browser } = await authorization(at);
    const page = await browser.open(`${url()}&${name}=again`);
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
    expect(page.text).toContain(`${name} is repeated`);
  });

  const redirects: [string, Record<string, string>, string][] = [
    ["no response_type", { response_type: "" }, "invalid_request"],
    ["response_type token", { response_type: "token" }, "unsupported_response_type"],
    ["response_type code token", { response_type: "code token" }, "unsupported_response_type"],
    ["response_mode form_post", { response_mode: "form_post" }, "invalid_request"],
    ["a request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "invalid_request"],
    ["RFC 7636: no code_challenge", { code_challenge: "" }, "invalid_request"],
    ["RFC 7636: no code_challenge_method, which means plain", { code_challenge_method: "" }, "invalid_request"],
    ["RFC 7636: code_challenge_method plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["RFC 7636: a challenge that is no SHA-256 hash", { code_challenge: "abc" }, "invalid_request"],
    ["the operator's scope", { scope: "operator" }, "invalid_scope"],
    ["a malformed scope", { scope: 'letters:read  "' }, "invalid_scope"],
    ["RFC 8707: another resource", { resource: "https://other.example" }, "invalid_target"],
  ];
  it.each(redirects)(
    "%s goes back to the client with error, state and iss, once somebody has signed in",
    async (_, change, error) => {
      const at = await install();
      const { url, browser, signIn } = await authorization(at);
      await signIn(await at.application());
      const page = await browser.open(url(change));
      expect(page.status).toBe(303);
      expect(page.url.startsWith("https://client.example/callback?")).toBe(true);
      expect(returned(page)).toEqual({
        error,
        error_description: expect.any(String),
        state: "st/4te=?&+",
        iss: at.issuer,
      });
    },
  );

  it.each(redirects)(
    "[C-9.61] RFC 9700 §4.11.2: %s of a client that nobody has verified is a page until then",
    async (_, change, error) => {
      const at = await install();
      const { url, browser } = await authorization(at);
      const page = await browser.open(url(change));
      expect([page.status, page.headers.get("location"), page.forms]).toEqual([400, null, []]);
      expect(page.text).toContain(error);
      expect(page.html).not.toContain("client.example");
      expect(at.events.at(-1)).toMatchObject({ action: "authorization.refused", detail: "bad_request" });
    },
  );

  it("[C-9.61] an application, which an operator made, gets its errors at once", async () => {
    const at = await install();
    const { client_id } = await at.application({ redirect_urls: ["https://client.example/callback"] });
    const { url, browser } = await authorization(at);
    const page = await browser.open(url({ client_id, response_type: "token" }));
    expect(returned(page)).toMatchObject({ error: "unsupported_response_type", iss: at.issuer });
    await browser.open(url({ client_id }));
    expect(returned(await browser.submit("cancel"))).toMatchObject({ error: "access_denied" });
  });

  it("[C-9.61] cancelling step 1 is a page with a link back; with credentials that are remembered it leads back itself", async () => {
    const at = await install();
    const { url, browser, signIn } = await authorization(at);
    await browser.open(url());
    const step1 = browser.filled("cancel");
    const page = await browser.submit("cancel");
    expect([page.status, page.headers.get("location"), page.text.includes("You have cancelled this")]).toEqual([
      200,
      null,
      true,
    ]);
    const link = /href="(https:[^"]+)"/.exec(page.html)?.[1]?.replaceAll("&#38;", "&") ?? "";
    expect(link.startsWith("https://client.example/callback?error=access_denied&")).toBe(true);
    // Recorded like an anonymous refusal, because anyone can repeat this.
    expect(at.events.at(-1)).toMatchObject({
      action: "authorization.refused",
      detail: "access_denied",
      tenant_id: null,
    });
    const application = await at.application();
    await signIn(application);
    expect(returned(await browser.send(step1))).toMatchObject({ error: "access_denied", iss: at.issuer });
    const { application_id } = application;
    expect(at.events.at(-1)).toMatchObject({ action: "authorization.denied", application_id });
  });

  it("[C-9.63] a redirect_uri that was registered under other rules leads nowhere any more", async () => {
    const at = await install();
    const { url, browser } = await authorization(at, { redirect_uris: ["zoommtg://zoom.example/join"] });
    const page = await browser.open(url());
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
    expect(page.text).toContain("must not have this scheme");
  });

  it("a repeated state is refused and not sent back", async () => {
    const at = await install();
    const { url, browser, signIn } = await authorization(at);
    await signIn(await at.application());
    const page = await browser.open(`${url()}&state=another`);
    expect(returned(page)).toEqual({ error: "invalid_request", error_description: expect.any(String), iss: at.issuer });
  });

  it("a state too long to carry is refused; unknown parameters are ignored; empty ones count as absent", async () => {
    const at = await install();
    const { url, browser, signIn } = await authorization(at);
    const page = await browser.open(`${url({ prompt: "none", foo: "bar" })}&scope=&resource=`);
    expect([page.status, browser.form("sign-in") !== undefined]).toEqual([200, true]);
    await signIn(await at.application());
    expect(returned(await browser.open(url({ state: "x".repeat(5000) })))).toMatchObject({ error: "invalid_request" });
  });

  it("RFC 8252 §7.3: the port of a loopback redirect may differ from the registered one", async () => {
    const at = await install();
    const { url, browser } = await authorization(at, {
      redirect_uris: ["http://127.0.0.1/callback", "cursor://anysphere.cursor-mcp/oauth/callback"],
    });
    for (const [redirect_uri, place] of [
      ["http://127.0.0.1:49152/callback", "An app on this computer"],
      ["cursor://anysphere.cursor-mcp/oauth/callback", "An app that opens cursor: links"],
    ] as const) {
      const page = await browser.open(url({ redirect_uri }));
      expect(page.status).toBe(200);
      expect(page.text).toContain(place);
      const cancelled = await browser.submit("cancel");
      expect(cancelled.html).toContain(`href="${redirect_uri}?error=access_denied`);
    }
    expect((await browser.open(url({ redirect_uri: "http://127.0.0.1:49152/other" }))).status).toBe(400);
    expect((await browser.open(url({ redirect_uri: "http://localhost/callback" }))).status).toBe(400);
  });

  it("keeps a query that the redirect_uri has, and the URI as it was written", async () => {
    const at = await install();
    const redirect = "https://client.example?tenant=1";
    const { url, browser, signIn } = await authorization(at, { redirect_uris: [redirect] });
    await signIn(await at.application());
    const page = await browser.open(url({ response_type: "token", redirect_uri: redirect }));
    expect(page.url.startsWith(`${redirect}&error=`)).toBe(true);
  });
});
