import { createBrowser } from "@org/pages/testing";
import { describe, expect, it } from "vitest";
import { authorization, codeOf } from "./authorization.js";
import { install, machine, refresh, TENANT } from "./harness.js";

const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const subjects: unknown[] = [["x"], 7, true, null, { startsWith: 1 }, "", "\u0000", "ü", "x".repeat(3000)];

describe("[security.md] hostile input is a clear 400 or 401, and nothing is logged as a defect", () => {
  it.each(subjects.map((sub) => [JSON.stringify(sub).slice(0, 20), sub]))(
    "RFC 7523: an assertion whose sub is %s, at every endpoint that takes one",
    async (_, sub) => {
      const at = await install();
      const { body: tokens } = await at.token(machine(await at.application()));
      const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
      const client_assertion = `${encoded({ alg: "ES256" })}.${encoded({ sub })}.AA`;
      const asserted = { client_assertion, client_assertion_type: JWT_BEARER };
      const code = {
        grant_type: "authorization_code",
        code: "wcc_x",
        code_verifier: "v".repeat(43),
        redirect_uri: "x:/",
      };
      const answers = [
        await at.token({ grant_type: "client_credentials", ...asserted }),
        await at.token({ ...code, ...asserted }),
        await at.token(refresh(tokens.refresh_token, asserted)),
        await at.token({ grant_type: "unknown", ...asserted }),
        await at.revoke({ token: tokens.refresh_token, ...asserted }),
      ];
      for (const { status, body } of answers) {
        expect([400, 401]).toContain(status);
        expect(body.error).toMatch(/^(invalid_client|unsupported_grant_type)$/);
      }
      for (const { client_id } of at.events) expect(client_id === null || typeof client_id === "string").toBe(true);
      expect(at.log).toEqual([]);
      expect((await at.token(refresh(tokens.refresh_token))).status).toBe(200);
    },
  );

  it.each(["\u0000", "wcd_\u0000", "wcd_\u4e2d".repeat(500), "wca_ü", "(registration)", "wcs_secret"])(
    "a client_id that no client can have, in the address of the page: %j",
    async (client_id) => {
      const at = await install();
      const { url, browser } = await authorization(at);
      expect((await browser.open(url({ client_id }))).status).toBe(400);
      expect(at.log).toEqual([]);
    },
  );

  it.each(["a\u0000b", "中".repeat(2048), "ü", "\ud800", "x".repeat(60_000)])(
    "what is typed as client_id is refused with the same message: %j",
    async (client_id) => {
      const at = await install();
      for (const path of ["/grants", new URL((await authorization(at)).url()).pathname]) {
        const { url, browser } = await authorization(at);
        await browser.open(path === "/grants" ? `${at.issuer}/grants` : url());
        const page = await browser.submit("sign-in", { client_id, client_secret: "wcs_wrong" });
        expect([page.status, page.html.includes('role="alert"')]).toEqual([400, true]);
      }
      expect(at.log).toEqual([]);
      expect(JSON.stringify(at.events)).not.toContain(client_id.slice(0, 30));
    },
  );

  it("a thousand parameters are too many, at the token endpoint and on the page", async () => {
    const at = await install();
    const { url, browser } = await authorization(at);
    const many = Array.from({ length: 1000 }, (_, index) => [`p${index}`, "x"] as const);
    const { status, body } = await at.token([...many, ["grant_type", "client_credentials"]]);
    expect([status, body.error_description]).toEqual([400, "there are too many parameters"]);
    const short = many
      .slice(0, 600)
      .map(([name]) => name)
      .join("&");
    expect((await browser.open(`${url()}&${short}`)).status).toBe(200);
    const page = await browser.open(`${url()}&${short}&p1`);
    expect([page.status, page.text.includes("invalid_request: a parameter is repeated")]).toEqual([400, true]);
  });

  it("a state is bounded as it appears in an address", async () => {
    const at = await install();
    const { url, browser } = await authorization(at);
    expect((await browser.open(url({ state: "x".repeat(4096) }))).status).toBe(200);
    const page = await browser.open(url({ state: "\u0001".repeat(1400) }));
    expect([page.status, page.text.includes("invalid_request: state is longer")]).toEqual([400, true]);
  });

  it("an operator's tenant parameter that is no id", async () => {
    const at = await install();
    const { client_id, client_secret } = await at.application({ tenant_id: null });
    for (const tenant of ["abc", "\u0000", `${TENANT}x`]) {
      const body = new URLSearchParams({ client_id, client_secret, tenant });
      expect((await fetch(`${at.issuer}/grants/list`, { method: "POST", body })).status).toBe(400);
    }
    expect(at.log).toEqual([]);
  });
});

describe("[security.md] what step 2 shows is what is granted", () => {
  it("another tab's approval of something else neither replaces the first one nor gets its code", async () => {
    const at = await install();
    const [own, other] = [await at.application({ name: "Firm A" }), await at.application({ name: "Firm B" })];
    const { browser, signIn, exchange } = await authorization(at);
    await signIn(own);
    const shown = browser.filled("decision", {}, "approve");
    const tab = createBrowser(browser.cookies);
    await tab.send(browser.filled("use-different-credentials"));
    await tab.submit("sign-in", { client_id: other.client_id, client_secret: other.client_secret });
    const second = tab.filled("decision", { scope: ["letters:read"] }, "approve");
    const back = createBrowser(browser.cookies);
    await back.send(tab.filled("use-different-credentials"));
    await back.submit("sign-in", { client_id: own.client_id, client_secret: own.client_secret });
    const first = codeOf(await browser.send(shown));
    await back.send(back.page ? { url: second.url, body: second.body } : second);
    expect(back.page?.headers.get("location")).toBeNull();
    const narrowed = new URLSearchParams(shown.body);
    narrowed.delete("scope");
    narrowed.append("scope", "letters:read");
    const again = await browser.send({ url: shown.url, body: narrowed });
    expect([again.status, again.headers.get("location")]).toEqual([400, null]);
    expect(codeOf(await browser.send(shown))).toBe(first);
    expect((await exchange(first)).body.scope).toContain("letters:write");
  });
});

describe("[security.md] the audit trail names who acted", () => {
  it("ending a grant on the page, signing out, an operator's login that is refused", async () => {
    const at = await install();
    const [own, second, operator] = [
      await at.application({ scopes: ["grants:manage"] }),
      await at.application(),
      await at.application({ tenant_id: null }),
    ];
    await at.token(machine(second));
    const browser = createBrowser();
    await browser.open(`${at.issuer}/grants`);
    const typed = ({ client_id, client_secret }: typeof own) => ({ client_id, client_secret });
    await browser.submit("sign-in", typed(operator));
    await browser.submit("sign-in", typed(own));
    await browser.submit("end");
    await browser.submit("sign-out");
    expect(at.events.slice(-4)).toMatchObject([
      { action: "login.refused", application_id: operator.application_id, detail: "not_a_tenants" },
      { action: "login.accepted", application_id: own.application_id },
      { action: "client.grants_ended", application_id: second.application_id, actor: own.application_id },
      { action: "login.ended", application_id: own.application_id },
    ]);
  });

  it("a link cannot claim that an access has ended", async () => {
    const at = await install();
    const own = await at.application();
    await at.token(machine(own));
    const browser = createBrowser();
    await browser.open(`${at.issuer}/grants`);
    await browser.submit("sign-in", { client_id: own.client_id, client_secret: own.client_secret });
    expect((await browser.open(`${at.issuer}/grants?ended=1`)).text).not.toContain("has ended");
    expect((await browser.submit("end")).text).toContain("Access has ended");
  });
});
