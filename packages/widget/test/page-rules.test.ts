import { CoreError, type CustomerSessions, type CustomerView, sessionErrorCodes, sessionLanguages } from "@org/core";
import type { Browser } from "@org/pages/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPages, startWidget } from "./widget-host.js";

let host: Awaited<ReturnType<typeof startWidget>>;
let browser: Browser;

beforeAll(async () => {
  host = await startWidget();
});
afterAll(() => host.stop());
beforeEach(() => {
  browser = host.browser();
});

async function begin(configuration?: Record<string, unknown>) {
  const session = await host.openSession(configuration);
  await browser.open(session.path);
  await browser.submit("continue");
  return session;
}

describe("headers", () => {
  it.each([
    ["a page", "GET", (path: string) => path],
    ["a refusal", "POST", (path: string) => `${path}/credentials`],
    ["a redirect", "GET", (path: string) => `${path}/credentials`],
    ["an unknown link", "GET", () => "/connect/nothing"],
  ])("%s carries the page rules", async (_, method, addressOf) => {
    const { path } = await begin();
    const shown = await browser.request(addressOf(path), { method });
    const csp = shown.headers.get("content-security-policy") ?? "";
    expect(csp).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/);
    expect(csp).not.toContain("form-action");
    expect(shown.headers.get("x-frame-options")).toBe("DENY");
    expect(shown.headers.get("referrer-policy")).toBe("no-referrer");
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(shown.headers.get("x-trace-id")).toBe("c".repeat(32));
  });

  it("[C-7.20] the trace id is the caller's when it sends one", async () => {
    const traceparent = `00-${"a1".repeat(16)}-${"b2".repeat(8)}-01`;
    const { headers } = await browser.request("/connect/nothing", { headers: { traceparent } });
    expect(headers.get("x-trace-id")).toBe("a1".repeat(16));
  });

  it("nothing is loaded from anywhere and there is no script", async () => {
    await begin();
    expect(browser.page?.html).not.toMatch(/<script|<link|<img|src=|url\(|\son[a-z]+=/i);
  });
});

describe("the cookie", () => {
  const cookieOf = async (publicUrl: string) => {
    const widget = await startWidget(publicUrl);
    try {
      const owner = widget.browser();
      const { path } = await widget.openSession();
      const first = (await owner.request(path)).headers.get("set-cookie");
      await owner.open(path);
      const { url, body } = owner.filled("continue");
      const claimed = (await owner.request(url, { method: "POST", body })).headers.get("set-cookie");
      return { first, claimed, link: path.split("/")[2] ?? "" };
    } finally {
      await widget.stop();
    }
  };

  it("on https it is __Host-, Secure, HttpOnly and SameSite=Lax", async () => {
    const { first, claimed, link } = await cookieOf("https://connect.example");
    for (const cookie of [first, claimed]) {
      expect(cookie).toMatch(/^__Host-wc-connect-[0-9a-f]{16}=[\w-]{43}; Path=\/;/);
      expect(cookie).toContain("; HttpOnly; Secure; SameSite=Lax");
      expect(cookie).not.toContain("Domain");
      expect(cookie).not.toContain(link);
    }
    expect(claimed).toContain("; Expires=");
  });

  it("on loopback http it has the plain name", async () => {
    const { claimed } = await cookieOf("http://localhost:3000");
    expect(claimed).toMatch(/^wc-connect-[0-9a-f]{16}=/);
    expect(claimed).not.toContain("Secure");
  });

  it("the page of a link that is not open sets none", async () => {
    const session = await begin();
    expect((await host.browser().request(session.path)).headers.get("set-cookie")).toBeNull();
  });

  it.each(["wc-connect-0=x", "=;=;", "a".repeat(4_000), "wc-connect-%00"])(
    "a header like %s is no owner",
    async (cookie) => {
      const { path } = await begin();
      expect((await host.browser().request(path, { headers: { cookie } })).status).toBe(403);
    },
  );
});

describe("forged forms", () => {
  it.each([
    ["without a token", () => ({})],
    ["with a wrong token", () => ({ csrf_token: "x".repeat(43) })],
    [
      "with two tokens",
      (token: string) => [
        ["csrf_token", token],
        ["csrf_token", token],
      ],
    ],
  ])("a form %s is 403 and changes nothing", async (_, forge) => {
    const session = await begin();
    const { url, body } = browser.filled("cancel");
    const forged = new URLSearchParams(forge(body.get("csrf_token") ?? "") as Record<string, string>);
    const shown = await browser.request(url, { method: "POST", body: forged });
    expect([shown.status, shown.text]).toEqual([403, expect.stringContaining("cannot be used any more")]);
    expect((await host.status(session.id)).status).toBe("Waiting:ProvideCredentials");
  });

  it("a token of another session is 403", async () => {
    await begin();
    const other = browser.filled("cancel").body;
    await begin();
    const { url } = browser.filled("cancel");
    expect((await browser.request(url, { method: "POST", body: other })).status).toBe(403);
  });

  it.each(["cross-site", "same-site"])("a form that another site sent (Sec-Fetch-Site: %s) is 403", async (site) => {
    await begin();
    const { url, body } = browser.filled("cancel");
    const shown = await browser.request(url, { method: "POST", body, headers: { "sec-fetch-site": site } });
    expect(shown.status).toBe(403);
  });

  it("a browser that is not the owner cannot act, whatever it posts", async () => {
    const session = await begin();
    const { url, body } = browser.filled("cancel");
    expect((await host.browser().request(url, { method: "POST", body })).status).toBe(403);
    expect((await host.status(session.id)).status).toBe("Waiting:ProvideCredentials");
  });
});

describe("bad input", () => {
  it.each([
    ["no fields", {}, ["Enter your user name", "Enter your password"]],
    ["an empty password", { username: "u", password: "" }, ["Enter your password"]],
    ["NUL", { username: "a\0b", password: "p" }, ["too long or contains characters"]],
    ["a huge user name", { username: "u".repeat(20_000), password: "p" }, ["too long or contains characters"]],
  ])("credentials with %s: the form again, 400, each problem in words", async (_, typed, problems) => {
    const session = await begin();
    const shown = await browser.submit("credentials", typed as Record<string, string>);
    expect(shown.status).toBe(400);
    for (const problem of problems) expect(shown.text).toContain(problem);
    expect(shown.html).toContain('aria-invalid="true" aria-describedby=');
    expect(shown.html).toMatch(/role="alert".*href="#(username|password)"/s);
    expect((await host.status(session.id)).status).toBe("Waiting:ProvideCredentials");
  });

  it("a field that comes twice is refused", async () => {
    await begin();
    const { url, body } = browser.filled("credentials", { username: "u", password: "p" });
    body.append("password", "q");
    expect((await browser.send({ url, body })).status).toBe(400);
  });

  it("an empty answer: the form again, 400", async () => {
    const session = await begin();
    await browser.submit("credentials", { username: "empty answer", password: "sms" });
    await host.settle();
    await browser.open(session.path);
    const shown = await browser.submit("answer", { answer: "" });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining("Enter the code")]);
  });

  it.each([
    [
      "a body of 65 KiB",
      413,
      (token: string) => ({ body: new URLSearchParams({ csrf_token: token, username: "u".repeat(66_560) }) }),
    ],
    ["a hundred fields", 413, (token: string) => ({ body: `csrf_token=${token}${"&a=1".repeat(100)}` })],
    ["a strange charset", 400, () => ({ body: "a=1", type: "application/x-www-form-urlencoded; charset=utf-7" })],
    ["JSON", 403, (token: string) => ({ body: JSON.stringify({ csrf_token: token }), type: "application/json" })],
    ["no body", 403, () => ({})],
  ])("%s is %i, with a page", async (_, status, post) => {
    await begin();
    const { url, body } = browser.filled("credentials", { username: "u", password: "p" });
    const { body: sent, type } = post(body.get("csrf_token") ?? "") as {
      body?: string | URLSearchParams;
      type?: string;
    };
    const headers = { "content-type": type ?? "application/x-www-form-urlencoded" };
    const shown = await browser.request(url, {
      method: "POST",
      ...(sent === undefined ? {} : { body: sent }),
      headers,
    });
    expect(shown.status).toBe(status);
    expect(shown.html).toContain("<h1>");
  });

  it.each([
    ["GET", "/connect/%ff", 400],
    ["GET", "/connect/%00", 404],
    ["PUT", "/connect/x", 405],
    ["DELETE", "/connect/x/credentials", 405],
    ["POST", "/connect/x", 405],
    ["POST", "/connect/x/constructor", 405],
  ])("%s %s is %i, with a page", async (method, path, status) => {
    const shown = await browser.request(path, { method });
    expect(shown.status).toBe(status);
    expect(shown.html).toContain("<h1>");
    if (status === 405) expect(shown.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("no password or answer that was typed comes back in a page", async () => {
    await begin();
    const shown = await browser.submit("credentials", { username: "", password: "hunter2hunter2" });
    expect(shown.status).toBe(400);
    expect(shown.html).not.toContain("hunter2");
  });
});

describe("languages", () => {
  it.each([
    ["en", "Connect your bank"],
    ["es", "Conecte su banco"],
    ["fr", "Connectez votre banque"],
    ["de", "Verbinden Sie Ihre Bank"],
  ])("a session in %s is shown in it, whatever the browser prefers", async (language, title) => {
    const { path } = await host.openSession({ language });
    const shown = await browser.open(path, { headers: { "Accept-Language": "fr, es;q=0.5" } });
    expect(shown.text).toContain(title);
    expect(shown.html).toContain(`<html lang="${language}">`);
  });

  it("[C-5.32] without one of its own a session follows the browser; the customer's switch wins over both, for this session", async () => {
    const german = { headers: { "Accept-Language": "de-AT, en;q=0.5" } };
    const [free, fixed] = [await host.openSession({}), await host.openSession({ language: "es" })];
    expect((await browser.open(free.path, german)).text).toContain("Verbinden Sie Ihre Bank");
    expect((await browser.open(fixed.path, german)).text).toContain("Conecte su banco");
    expect((await browser.request(`${fixed.path}?language=xx`)).status).toBe(200);
    const switched = await browser.open(`${fixed.path}?language=fr`, german);
    expect([switched.url, switched.text]).toEqual([
      expect.stringMatching(/\/connect\/[\w-]+$/),
      expect.stringContaining("Connectez votre banque"),
    ]);
    expect(switched.html).toContain('lang="fr" hreflang="fr" aria-current="true">Français</a>');
    expect((await browser.submit("continue")).text).toContain("Choisissez votre banque");
    expect((await browser.open(free.path, german)).text).toContain("Verbinden Sie Ihre Bank");
    expect((await host.browser().open(`${fixed.path}?language=fr`)).status).toBe(403);
    const state = await browser.request(`${fixed.path}/state?language=de`);
    expect(JSON.parse(state.html)).toMatchObject({ language: "de", drawing: { title: "Wählen Sie Ihre Bank" } });
  });

  it.each([
    ["de-CH, en;q=0.5", "Diesen Link gibt es nicht"],
    ["pt", "This link does not exist"],
  ])("without a session, a browser that prefers %s is answered in what it reads", async (accepted, title) => {
    const shown = await browser.request("/connect/nothing", { headers: { "Accept-Language": accepted } });
    expect(shown.text).toContain(title);
  });
});

const requester = { name: "Tenant", legal_name: null, privacy_url: null, support_contact: null, logo: null };

describe("who asks", () => {
  const shownBy = async (more: object) => {
    const view = {
      kind: "unclaimed",
      language: "en",
      bank: "Banco Sol",
      terms: null,
      relogin: false,
      privacy_notice: null,
    } as const;
    const pages = await startPages(sessionsThatShow(async () => ({ ...view, requester: { ...requester, ...more } })));
    try {
      return await pages.browser().open("/connect/x");
    } finally {
      await pages.stop();
    }
  };

  it("[C-5.35] is named, with its logo from this site only, its privacy policy and where to ask", async () => {
    const { html, text, headers } = await shownBy({
      name: "Müller & <Söhne>",
      privacy_url: "https://mueller.example/privacy",
      support_contact: "help@mueller.example",
      logo: { path: "/logos/abc", width: 300, height: 80 },
    });
    expect(text).toContain("Müller & <Söhne> asks for your investment data");
    expect(text).toContain("make them available to Müller & <Söhne>");
    expect(html).toContain('<img src="/logos/abc" width="300" height="80" alt="">');
    expect(html).toContain(
      '<a class="reach" href="https://mueller.example/privacy" target="_blank" rel="noopener noreferrer">',
    );
    expect(html).toContain('href="mailto:help@mueller.example"');
    expect(headers.get("content-security-policy")).toMatch(/; img-src 'self'; base-uri 'none';/);
  });

  it("is named without any of these too, and nothing may be loaded then", async () => {
    const { html, text, headers } = await shownBy({});
    expect(text).toContain("Tenant asks for your investment data");
    expect(html).not.toMatch(/<img|mailto:|Privacy policy|Questions/);
    expect(headers.get("content-security-policy")).not.toContain("img-src");
    expect((await shownBy({ support_contact: "https://help.example/banks" })).html).toContain(">help.example</a>");
  });
});

describe("every end in every language", () => {
  const ends: CustomerView[] = sessionLanguages.flatMap((language) =>
    [
      { status: "Finished:OK", error_code: null } as const,
      { status: "Finished:Expired", error_code: "SessionExpired" } as const,
      { status: "Finished:Aborted", error_code: "AbortedByUser" } as const,
      ...sessionErrorCodes.map((error_code) => ({ status: "Finished:Error", error_code }) as const),
      { status: "Finished:Error", error_code: null } as const,
      { status: "Finished:OK", error_code: null, remark: "no_accounts" } as const,
      { status: "Finished:OK", error_code: null, remark: "data_incomplete" } as const,
      ...[
        { status: "Finished:OK", error_code: null } as const,
        { status: "Finished:Expired", error_code: "SessionExpired" } as const,
        { status: "Finished:Aborted", error_code: "AbortedByUser" } as const,
        { status: "Finished:Error", error_code: "InternalError" } as const,
        { status: "Finished:Error", error_code: "InvalidCredentials", remark: "other_login" } as const,
      ].map((end) => ({ ...end, relogin: true })),
    ].map((end) => ({
      kind: "owned",
      language,
      requester,
      remark: null,
      relogin: false,
      ...end,
      connector: null,
      connector_fixed: true,
      terms: null,
      credential_fields: [],
      challenge: null,
      follows_bank: false,
      attempts_left: 0,
      return_url: null,
      expires_at: "2026-03-02T09:00:00Z",
    })),
  );

  it.each(ends)("$language $status $error_code $remark, renewed: $relogin, is a page of its own", async (view) => {
    const pages = await startPages(sessionsThatShow(async () => view));
    try {
      const shown = await pages.browser().open("/connect/x");
      expect(shown.status).toBe(200);
      expect(shown.html).toContain(`<html lang="${"language" in view && view.language}">`);
      expect(shown.html).not.toMatch(/undefined|null|\[object/);
      expect(shown.forms).toEqual([]);
    } finally {
      await pages.stop();
    }
  });
});

describe("failures of the service", () => {
  it("a defect is a page with a reference; the log has it once, without the link", async () => {
    const pages = await startPages(sessionsThatShow(async () => Promise.reject(new Error("the pool is drained"))));
    try {
      const shown = await pages.browser().open("/connect/secret-link");
      expect([shown.status, shown.text]).toEqual([500, expect.stringContaining("c".repeat(32))]);
      expect(shown.text).not.toContain("pool");
      expect(pages.logged).toHaveLength(1);
      expect(JSON.stringify(pages.logged)).not.toContain("secret-link");
    } finally {
      await pages.stop();
    }
  });

  it("a session that goes while its banks are looked up is taken, not a defect", async () => {
    const choosing: CustomerView = {
      kind: "owned",
      language: "en",
      requester,
      status: "Waiting:ProvideCredentials",
      error_code: null,
      remark: null,
      relogin: false,
      connector: null,
      connector_fixed: false,
      terms: null,
      credential_fields: [],
      challenge: null,
      follows_bank: false,
      attempts_left: 3,
      return_url: null,
      expires_at: new Date().toISOString(),
    };
    const pages = await startPages({
      ...sessionsThatShow(async () => choosing),
      banks: () => Promise.reject(new CoreError("NOT_FOUND", "this browser has no such session")),
    });
    try {
      for (const path of ["/connect/x", "/connect/x/state", "/connect/x/banks"])
        expect((await pages.browser().request(path)).status, path).toBe(403);
      expect(pages.logged).toEqual([]);
    } finally {
      await pages.stop();
    }
  });

  it("too many attempts are 429", async () => {
    const sessions = sessionsThatShow(async () => ({
      kind: "unclaimed",
      language: "en",
      requester,
      bank: null,
      terms: null,
      relogin: false,
      privacy_notice: null,
    }));
    const pages = await startPages({
      ...sessions,
      claim: () => Promise.reject(new CoreError("RATE_LIMITED", "too many")),
    });
    try {
      const guest = pages.browser();
      await guest.open("/connect/x");
      expect((await guest.submit("continue")).status).toBe(429);
    } finally {
      await pages.stop();
    }
  });
});

function sessionsThatShow(view: CustomerSessions["view"]): CustomerSessions {
  const never = () => Promise.reject(new Error("not asked for here"));
  return {
    view,
    poll: view,
    claim: never,
    banks: never,
    chooseBank: never,
    changeBank: never,
    submitCredentials: never,
    autoStart: never,
    submitAnswer: never,
    leave: never,
    resumeCallback: never,
    restart: never,
    abort: never,
    followChallenges: never,
    drain: async () => {},
  };
}

it("[C-9.78] one link has some requests at once, and takes nothing from other customers of its tenant", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const poll = async (): Promise<CustomerView> => {
    await gate;
    return { kind: "unknown" };
  };
  const { origin, stop } = await startPages({ poll } as Partial<CustomerSessions> as CustomerSessions);
  const ask = async (link: string) => (await fetch(`${origin}/connect/${link}`)).status;
  const asked = Array.from({ length: 17 }, () => ask("greedy"));
  expect(await Promise.race(asked)).toBe(429);
  const other = ask("modest");
  release();
  expect((await Promise.all(asked)).toSorted()).toEqual([...Array<number>(16).fill(404), 429]);
  expect(await other).toBe(404);
  expect(await ask("greedy")).toBe(404);
  await stop();
});
