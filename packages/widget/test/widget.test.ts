import type { Browser } from "@org/pages/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startWidget } from "./widget-host.js";

let host: Awaited<ReturnType<typeof startWidget>>;
let browser: Browser;

beforeAll(async () => {
  host = await startWidget();
});
afterAll(() => host.stop());
beforeEach(() => {
  browser = host.browser();
});

/** Opens a fresh link in the browser and presses Continue. */
async function begin(configuration?: Record<string, unknown>) {
  const session = await host.openSession(configuration);
  await browser.open(session.path);
  await browser.submit("continue");
  return session;
}

/** Submits credentials and waits for the bank. */
async function logIn(session: { path: string }, password: string, username = `user-${session.path}`) {
  await browser.submit("credentials", { username, password });
  await host.settle();
  return browser.open(session.path);
}

describe("the link", () => {
  it("[C-5.10] GET and HEAD never claim it: after both, another browser can still continue", async () => {
    const { path } = await host.openSession();
    await host.browser().open(path);
    expect((await host.browser().request(path, { method: "HEAD" })).status).toBe(200);
    await browser.open(path);
    await browser.submit("continue");
    expect(browser.page?.text).toContain("Log in to Banco Sol");
  });

  it("[S1-4.17] [S1-8.7] [C-5.11] it works in one browser only; another one is told so and how to go on", async () => {
    const session = await begin();
    const other = await host.browser().open(session.path);
    expect(other.status).toBe(403);
    expect(other.text).toContain("cannot be used here any more");
    expect(other.text).toContain("ask for a new link");
    expect(other.forms).toEqual([]);
  });

  it("[S1-8.7] two browsers that press Continue: the first one gets it", async () => {
    const { path } = await host.openSession();
    const late = host.browser();
    await Promise.all([browser.open(path), late.open(path)]);
    await browser.submit("continue");
    expect((await late.submit("continue")).status).toBe(403);
    expect((await browser.open(path)).text).toContain("Log in to Banco Sol");
  });

  it("[S1-8.7] after its time it is over, claimed or not", async () => {
    const timed = await startWidget();
    try {
      const [claimed, fresh] = [await timed.openSession(), await timed.openSession()];
      const owner = timed.browser();
      await owner.open(claimed.path);
      await owner.submit("continue");
      timed.advance(1_800_000);
      expect((await owner.submit("credentials", { username: "u", password: "p" })).text).toContain(
        "Your session has expired",
      );
      expect((await timed.browser().open(fresh.path)).status).toBe(403);
    } finally {
      await timed.stop();
    }
  });

  it("[C-5.11] once finished, its own browser still sees how it ended, any other does not", async () => {
    const session = await begin();
    await logIn(session, "good");
    expect(browser.page?.text).toContain("Your bank is connected");
    expect((await host.browser().open(session.path)).status).toBe(403);
  });

  it("an unknown one is 404 with a page that says what to do", async () => {
    const shown = await browser.open(`/connect/${"x".repeat(43)}`);
    expect(shown.status).toBe(404);
    expect(shown.text).toContain("This link does not exist");
    expect(browser.cookies.size).toBe(0);
  });

  it("two sessions in one browser do not collide", async () => {
    const first = await begin({ connector_id: "esp:banco" });
    const second = await begin({ connector_id: "fra:banque" });
    expect((await browser.open(first.path)).text).toContain("Log in to Banco Sol");
    expect((await browser.open(second.path)).text).toContain("Log in to Banque Bleue");
  });
});

describe("the first page", () => {
  it("shows the privacy notice of the session, as text", async () => {
    const { path } = await host.openSession({ connector_id: "esp:banco", privacy_notice: "We <b>read</b> & keep." });
    expect((await browser.open(path)).html).toContain("We &#60;b&#62;read&#60;/b&#62; &#38; keep.");
  });

  it("shows a notice of its own when the session has none", async () => {
    const { path } = await host.openSession();
    expect((await browser.open(path)).text).toContain("What you enter is used only for that");
  });

  it("Cancel there ends the session for good", async () => {
    const session = await host.openSession();
    await browser.open(session.path);
    expect((await browser.submit("cancel")).text).toContain("You have cancelled");
    expect((await host.status(session.id)).status).toBe("Finished:Aborted");
  });

  it("a browser that keeps no cookies is told so before it uses the link up", async () => {
    const { path } = await host.openSession();
    await browser.open(path);
    browser.cookies.clear();
    const shown = await browser.submit("continue");
    expect([shown.status, shown.text]).toEqual([403, expect.stringContaining("Allow cookies")]);
    await browser.open(path);
    expect((await browser.submit("continue")).text).toContain("Log in to");
  });
});

describe("the login", () => {
  it("[S1-3.1] [C-9.19] user name and password connect the bank", async () => {
    const session = await begin();
    const form = browser.form("credentials");
    expect([...(form?.preset.map(([name]) => name) ?? []), ...(form?.fields ?? [])]).toEqual([
      "csrf_token",
      "username",
      "password",
    ]);
    await logIn(session, "good");
    expect(browser.page?.text).toContain("Your bank is connected");
    expect(browser.page?.text).toContain("You can close this page");
    expect((await host.status(session.id)).status).toBe("Finished:OK");
  });

  it("while the bank is asked, the page says so, loads itself again and can be cancelled", async () => {
    const session = await begin();
    const shown = await browser.submit("credentials", { username: "u", password: "slow" });
    expect(shown.html).toContain(`<meta http-equiv="refresh" content="2;url=${session.path}">`);
    expect(shown.html).toContain('role="status">');
    expect((await browser.submit("cancel")).text).toContain("You have cancelled");
    host.bank.release();
    await host.settle();
    expect((await host.status(session.id)).status).toBe("Finished:Aborted");
  });

  it("[C-9.20] a wrong password shows the form again with the reason and the attempts left; the third ends the session", async () => {
    const session = await begin();
    const first = await logIn(session, "wrong");
    expect(first.html).toContain('role="alert"');
    expect(first.text).toContain("did not accept the user name or the password. You have 2 attempts left.");
    expect(first.html).toContain("<title>Error: ");
    expect((await logIn(session, "wrong")).text).toContain("You have 1 attempt left.");
    expect((await logIn(session, "wrong")).text).toContain("The login failed");
    expect((await host.status(session.id)).error_code).toBe("InvalidCredentials");
  });

  it("[C-5.33] a bank that shows no account is connected, and the page says that none was found", async () => {
    const session = await begin();
    expect((await logIn(session, "empty")).text).toContain("Connected, no accounts found");
    expect((await host.status(session.id)).status).toBe("Finished:OK");
  });

  it.each([
    ["broken", "That did not work"],
    ["unsupported", "This kind of confirmation is not supported"],
    ["interaction", "Your bank needs something from you first"],
    ["exists", "This login is already connected"],
  ])("a login that ends as %s says so in words", async (password, title) => {
    const session = await begin();
    expect((await logIn(session, password)).text).toContain(title);
  });
});

describe("a repair", () => {
  it("[C-5.34] says that it renews, tells another login from a wrong one, and says when it is renewed", async () => {
    const first = await begin();
    await logIn(first, "good", "ana");
    const { connection_id } = await host.status(first.id);
    const session = await host.openSession({ connection_id });
    const landing = await browser.open(session.path);
    expect(landing.text).toContain("Renew your connection to Banco Sol");
    expect(landing.text).toContain("Your connection will not be renewed");
    await browser.submit("continue");
    expect((await logIn(session, "wrong", "ana")).text).toContain("did not accept the user name or the password");
    const other = await logIn(session, "good", "somebody else");
    expect(other.text).toContain("different login from the one this connection was made with");
    expect(other.text).toContain("You have 1 attempt left.");
    expect((await logIn(session, "good", "ana")).text).toContain("Your connection is renewed");
  });

  it("[C-5.34] that ends with another login, or is cancelled, says that nothing was renewed", async () => {
    const first = await begin();
    await logIn(first, "good", "eva");
    const { connection_id } = await host.status(first.id);
    const session = await begin({ connection_id });
    for (let attempt = 0; attempt < 3; attempt++) await logIn(session, "good", "somebody else");
    expect(browser.page?.text).toContain("This was a different login");
    expect((await host.status(session.id)).error_code).toBe("InvalidCredentials");
    await begin({ connection_id });
    expect((await browser.submit("cancel")).text).toContain("Your connection was not renewed");
  });
});

describe("the frame", () => {
  it("[C-5.35] names the bank on every page once there is one, and who asks", async () => {
    const session = await begin();
    const shown = [browser.page];
    shown.push(await browser.submit("credentials", { username: "framed", password: "sms" }));
    await host.settle();
    shown.push(await browser.open(session.path));
    await browser.submit("answer", { answer: "123456" });
    await host.settle();
    shown.push(await browser.open(session.path));
    expect(shown.map((page) => page?.text)).toEqual(shown.map(() => expect.stringContaining("Banco Sol")));
    expect(shown.map((page) => page?.text)).toEqual(shown.map(() => expect.stringContaining("requested by Tenant")));
  });

  it("[C-5.36] Cancel stands before everything else and asks once more", async () => {
    await begin({});
    const html = browser.page?.html ?? "";
    expect(html.indexOf("<summary>Cancel</summary>")).toBeGreaterThan(0);
    expect(html.indexOf("<summary>Cancel</summary>")).toBeLessThan(html.indexOf("<h1>"));
    expect(html).toMatch(
      /<details class="cancel"[^>]*>.*Do you want to cancel\?.*Yes, cancel<\/button>.*No, continue<\/a>/s,
    );
    expect(html.match(/action="[^"]*\/cancel"/g)).toHaveLength(1);
  });
});

describe("the challenge", () => {
  it.each(["sms", "code", "card"])("[C-9.19] %s: the typed code connects the bank", async (kind) => {
    const session = await begin();
    const asked = await logIn(session, kind);
    expect(asked.text).toContain(`The bank asks by ${kind}.`);
    expect(asked.html).toContain('autocomplete="one-time-code"');
    await browser.submit("answer", { answer: "123456" });
    await host.settle();
    expect((await browser.open(session.path)).text).toMatch(/connected/);
  });

  it.each(["app", "qr"])("[C-9.21] %s: a Continue button approves, nothing is typed", async (kind) => {
    const session = await begin();
    const asked = await logIn(session, kind);
    expect(asked.html).not.toContain('type="text"');
    await browser.submit("answer");
    await host.settle();
    expect((await browser.open(session.path)).text).toMatch(/connected/);
  });

  it("a QR challenge is drawn, and its text stands below for who cannot scan", async () => {
    const asked = await logIn(await begin(), "qr");
    expect(asked.html).toContain('<svg class="qr" role="img"');
    expect(asked.text).toContain("https://bank.example/approve?<b>&1");
    expect((await logIn(await begin(), "long qr")).html).not.toContain('<svg class="qr"');
  });

  it("a QR code that the bank has replaced is shown by the page's link; the page never loads itself again", async () => {
    const session = await begin();
    expect((await logIn(session, "turning qr")).text).toContain("https://bank.example/approve/1");
    host.bank.turn();
    host.advance(3_000);
    const asked = await browser.open(session.path);
    expect(asked.text).toContain("https://bank.example/approve/2");
    expect(asked.html).toContain(`<a class="more" href="${session.path}">Show the latest code</a>`);
    expect(asked.html).not.toContain('http-equiv="refresh"');
  });

  it("an approval that the bank reports by itself is found by the page's link", async () => {
    const session = await begin();
    const asked = await logIn(session, "app");
    expect(asked.html).toContain(`<a class="more" href="${session.path}">Check now</a>`);
    host.bank.approve();
    host.advance(3_000);
    await browser.open(session.path);
    await host.settle();
    expect((await browser.open(session.path)).text).toContain("connected");
  });

  it("one that is typed has no link to look again, which would take away what was typed", async () => {
    expect((await logIn(await begin(), "sms")).html).not.toContain('class="more"');
  });

  it("[C-9.20] a wrong answer shows the form again with the attempts left; the third ends the session", async () => {
    const session = await begin();
    await logIn(session, "sms");
    const shown = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      await browser.submit("answer", { answer: "000000" });
      await host.settle();
      shown.push((await browser.open(session.path)).text);
    }
    expect(shown).toEqual([
      expect.stringContaining("You have 2 attempts left."),
      expect.stringContaining("You have 1 attempt left."),
      expect.stringContaining("The confirmation failed"),
    ]);
  });
});

describe("the choice of bank", () => {
  const everything = { connector_filter: { rules: [{ action: "include", field: "connector_id", value: "*" }] } };
  const names = () => browser.form("bank")?.buttons.map(({ value }) => value);

  it("[S2-1.6] [C-5.12] [C-5.30] shows what the filter allows; what needs a letter says what to do, and cannot be chosen", async () => {
    const session = await begin({
      connector_filter: { rules: [{ action: "exclude", field: "countries", value: "usa" }] },
    });
    expect(names()).toEqual(["esp:banco", "esp:caja", "fra:banque"]);
    expect(browser.page?.html).toContain("Caja &#60;Norte&#62; &#38; Sur");
    expect(browser.page?.text).toContain("4 banks");
    expect(browser.page?.text).toContain("Depotfeed Germany · By letter You do not log in to this bank here.");
    expect(browser.page?.text).toContain("Ask Tenant for the letter");
    const { url, body } = browser.filled("bank");
    body.set("connector_id", "deu:feed");
    expect((await browser.send({ url, body })).status).toBe(400);
    expect((await host.status(session.id)).connector_id).toBeNull();
  });

  it("[C-5.274] a bank with several ways is one entry that lists them; a filter that names one way means that way", async () => {
    const identifiers = { bic: "SOLXESMM" };
    const several = await startWidget(undefined, null, [
      { id: "esp:letter", name: "Sol Custody", country: "esp", type: "datafeed", identifiers },
      { id: "esp:sol", name: "Banco Sol", country: "esp", institution: "Sol", way: 1 },
      { id: "prt:sol", name: "Banco Sol Portugal", country: "prt", institution: "Sol", way: 2 },
      { id: "esp:sol-letter", name: "Sol by files", country: "esp", type: "datafeed", institution: "Sol", way: 3 },
    ]);
    try {
      const visitor = several.browser();
      const open = async (filter?: object) => {
        const { path } = await several.openSession(filter ? { connector_filter: filter } : {});
        await visitor.open(path);
        await visitor.submit("continue");
        return visitor.form("bank")?.buttons.map(({ value }) => value);
      };
      expect(await open()).toEqual(["esp:sol", "prt:sol"]);
      expect(visitor.page?.text).toContain("2 banks");
      expect(visitor.page?.text).toContain("Banco Sol Spain, Portugal · 3 ways to connect");
      expect(visitor.page?.text).toContain("With your login, entered here");
      expect(visitor.page?.text).toContain("By letter You do not log in to this bank here.");
      const named = {
        rules: [
          { action: "exclude", field: "connector_id", value: "*" },
          { action: "include", field: "connector_id", value: "prt:sol" },
        ],
      };
      expect(await open(named)).toEqual(["prt:sol"]);
      expect(visitor.page?.text).toContain("Banco Sol Portugal Portugal");
      expect(visitor.page?.text).not.toContain("ways");
    } finally {
      await several.stop();
    }
  });

  it("no jargon: where a bank is, and not what kind of connector it has", async () => {
    await begin({});
    expect(browser.page?.text).not.toMatch(/e-banking|psd2|datafeed/i);
  });

  it("[C-5.12] a bank that it hides is refused although its id is posted", async () => {
    const session = await begin({
      connector_filter: { rules: [{ action: "exclude", field: "countries", value: "usa" }] },
    });
    const { url, body } = browser.filled("bank");
    body.set("connector_id", "usa:bank-1");
    const shown = await browser.send({ url, body });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining("cannot be chosen here")]);
    expect((await host.status(session.id)).connector_id).toBeNull();
  });

  it("[S2-4.31] without filter and ids every bank that can be connected here is shown and can be chosen", async () => {
    await begin({});
    expect(browser.page?.text).toContain("64 banks");
    expect((await browser.submit("bank", {}, "fra:banque")).text).toContain("Log in to Banque Bleue");
  });

  it("searches by name and country, by GET, without script", async () => {
    const { path } = await begin(everything);
    await browser.open(`${path}?name=caja&country=`);
    expect(names()).toEqual(["esp:caja"]);
    await browser.open(`${path}?name=&country=fra`);
    expect(names()).toEqual(["fra:banque"]);
    expect(browser.page?.html).toContain('<option value="fra" selected>France</option>');
    expect((await browser.open(`${path}?name=nowhere`)).text).toContain("No banks found");
  });

  it("pages through many, keeping the search", async () => {
    const { path } = await begin(everything);
    await browser.open(`${path}?name=prairie&country=usa`);
    expect(browser.page?.text).toContain("60 banks");
    expect(browser.page?.text).toContain("Page 1 of 2");
    const next = /href="([^"]*)">Next page/.exec(browser.page?.html ?? "")?.[1]?.replaceAll("&#38;", "&");
    expect(next).toBe(`${path}?name=prairie&country=usa&page=2`);
    await browser.open(next ?? "");
    expect(names()).toHaveLength(10);
    expect((await browser.open(`${path}?page=99&country=usa`)).text).toContain("Page 2 of 2");
  });

  it.each([
    "?page=-1",
    "?page=x",
    "?page=1&page=2",
    "?country=%00",
    "?name=%00",
    `?name=${"a".repeat(5_000)}`,
    "?name[]=a",
  ])("an address with %s shows a page", async (search) => {
    const { path } = await begin(everything);
    expect((await browser.open(`${path}${search}`)).status).toBe(200);
  });

  it("after choosing, another bank can be chosen; a bank fixed by the program cannot", async () => {
    await begin(everything);
    await browser.submit("bank", {}, "fra:banque");
    expect(browser.page?.text).toContain("Log in to Banque Bleue");
    await browser.submit("change-bank");
    expect(browser.page?.text).toContain("Choose your bank");
    await begin({ connector_id: "esp:banco" });
    expect(browser.page?.forms.map(({ action }) => action.split("/").at(-1))).toEqual(["cancel", "credentials"]);
  });
});

describe("the end", () => {
  it.each([
    ["success", async (session: { path: string }) => logIn(session, "good")],
    ["failure", async (session: { path: string }) => logIn(session, "broken")],
    ["Cancel", async () => browser.submit("cancel")],
  ])("[C-5.13] on %s the browser goes to redirect_url with session_id, by 303", async (_, finish) => {
    const session = await begin({ connector_id: "esp:banco", redirect_url: host.returnUrl });
    const shown = await finish(session);
    expect([shown.status, shown.headers.get("location")]).toEqual([303, `${host.returnUrl}&session_id=${session.id}`]);
  });
});

describe("Back, double submits and two tabs", () => {
  it("a form posted a second time leads to where the session stands", async () => {
    const session = await begin();
    const { url, body } = browser.filled("credentials", { username: "twice", password: "sms" });
    await logIn(session, "sms");
    const again = await browser.send({ url, body });
    expect([again.status, again.text]).toEqual([200, expect.stringContaining("Confirm your identity")]);
  });

  it("two posts at once: the bank is asked once, both end on the page of the session", async () => {
    await begin();
    const { url, body } = browser.filled("credentials", { username: "at once", password: "slow" });
    const shown = await Promise.all([1, 2].map(() => browser.send({ url, body })));
    expect(shown.map(({ text }) => text)).toEqual([1, 2].map(() => expect.stringContaining("One moment")));
    host.bank.release();
    await host.settle();
  });

  it("an answer, a choice or a Cancel after the end change nothing", async () => {
    const session = await begin();
    const stale = [browser.filled("credentials", { username: "u", password: "p" }), browser.filled("cancel")];
    await logIn(session, "good");
    for (const { url, body } of stale)
      expect((await browser.send({ url, body })).text).toContain("Your bank is connected");
  });

  it("the address of a form, loaded by itself, leads to the page", async () => {
    const { path } = await begin();
    const shown = await browser.request(`${path}/credentials`);
    expect([shown.status, shown.headers.get("location")]).toEqual([303, path]);
  });
});
