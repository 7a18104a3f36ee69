import { pageLanguages, styleSource } from "@org/pages";
import { describe, expect, it } from "vitest";
import { claimedAddress, claimedHost, claimedText } from "../src/pages/claimed-text.js";
import { createPages } from "../src/pages/create-pages.js";
import { waitInWords } from "../src/pages/page-parts.js";
import type { NoticePageKind, ReviewView, SignInView } from "../src/pages/page-views.js";
import { permissionWords } from "../src/pages/permission-words.js";
import { wordsIn } from "../src/pages/words/languages.js";
import { TENANT_SCOPES } from "../src/scopes.js";
import { samplePages } from "../src/testing/sample-pages.js";

const pages = createPages();
const states = pageLanguages.flatMap((language) =>
  Object.entries(samplePages).map(([name, render]) => ({ name, language, page: render(createPages(language)) })),
);
const page = (name: string) => states.find((state) => state.name === name)?.page ?? "";

const client = { name: "Claude", isVerified: false, host: null, scheme: null, returnsTo: "http://127.0.0.1:1/back" };
const form = (action: string) => ({ action, hidden: { request: `sealed"${action}` } });
const review: ReviewView = {
  client,
  scopes: TENANT_SCOPES.map((scope) => ({ scope, isChecked: scope !== "letters:write" })),
  maskedClientId: "wca_••••••••3f9a",
  applicationName: "Family office",
  person: null,
  form: form("/decision"),
  useDifferent: form("/different"),
  grantsAddress: "https://connect.example/grants",
  problem: null,
};
const signIn: SignInView = {
  client,
  form: form("/in"),
  people: null,
  cancel: null,
  problem: null,
  retryAfterSeconds: null,
};

describe("every page", () => {
  it.each(states)(
    "$name in $language is a document with one h1, a title and a language (WCAG 2.2, 2.4.2, 3.1.1)",
    ({ language, page }) => {
      expect(page.startsWith(`<!doctype html>\n<html lang="${language}">`)).toBe(true);
      expect(page.match(/<h1>/g)).toHaveLength(1);
      expect(page).toMatch(/<title>[^<]+ – Wealth Connect<\/title>/);
      expect(page).toMatch(/<main>[\s\S]*<h1>[\s\S]*<\/main>/);
    },
  );

  it.each(states)("[security.md] $name in $language has no script and loads nothing", ({ page }) => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe|<object|javascript:|@import|url\(/i);
    for (const [tag] of page.matchAll(/<[a-z][^>]*>/g)) expect(tag).not.toMatch(/\s(on[a-z]+|src|style)=/i);
    // The only link to the outside is the way back to an unverified client, which the person may follow or not.
    for (const [, target = ""] of page.matchAll(/\s(?:href|action)="([^"]*)"/g))
      expect(target).toMatch(/^([/#]|http:\/\/127\.0\.0\.1:33418\/oauth\/callback\?error=access_denied$)/);
  });

  it.each(states)("$name in $language gives each field a label and repeats no id (WCAG 2.2, 4.1.2)", ({ page }) => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, references = ""] of page.matchAll(/\s(?:for|aria-describedby)="([^"]*)"/g))
      for (const reference of references.split(" ")) expect(ids).toContain(reference);
    for (const [input] of page.matchAll(/<input [^>]*>/g)) {
      if (input.includes('type="hidden"')) continue;
      const id = / id="([^"]*)"/.exec(input)?.[1];
      if (id === undefined) expect(page).toContain(`<label class="choice">${input}`);
      else expect(page).toContain(`<label for="${id}">`);
    }
  });

  it.each(states)("$name in $language posts its forms, and no form is within another", ({ page }) => {
    for (const [, opening = "", content = ""] of page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
      expect(opening).toContain('method="post"');
      expect(content).not.toContain("<form");
      expect(content).toMatch(/<button [^>]*type="submit"/);
    }
  });

  it("the policy allows the sheet of the pages alone", () => {
    expect(pages.contentSources).toEqual({ style: styleSource });
  });
});

describe("step 1", () => {
  it("[C-9.3] posts client_id and client_secret, with what goes along", () => {
    const shown = pages.signIn({ ...signIn, cancel: form("/cancel") });
    expect(fieldsOf(shown, "/in")).toEqual(["hidden request", "text client_id", "password client_secret"]);
    expect(shown).toContain('value="sealed&#34;/in"');
    expect(fieldsOf(shown, "/cancel")).toEqual(["hidden request"]);
    expect(shown).toMatch(/name="client_id" type="text" autocomplete="username"/);
    expect(shown).toMatch(/name="client_secret" type="password" autocomplete="current-password"/);
  });

  it.each([
    ["missing", null, "Enter both the client ID and the client secret."],
    ["wrong_credentials", null, "These credentials were not accepted."],
    ["too_many_attempts", 840, "Try again in 14 minutes."],
    ["too_many_attempts", null, "Try again later."],
  ] as const)("%s (%s) is told at once, in one message, and in the title", (problem, retryAfterSeconds, message) => {
    const shown = pages.signIn({ ...signIn, problem, retryAfterSeconds });
    expect(alertsOf(shown)).toEqual([expect.stringContaining(message)]);
    expect(shown).toContain("<title>Error: ");
  });

  it.each(["missing", "wrong_credentials", "too_many_attempts"] as const)(
    "[security.md] after %s no field holds a value",
    (problem) => {
      const shown = pages.signIn({ ...signIn, problem });
      for (const [input] of shown.matchAll(/<input id="[^>]*>/g)) expect(input).not.toContain("value=");
    },
  );

  it("[security.md] wrong credentials do not say which field is wrong", () => {
    expect(pages.signIn({ ...signIn, problem: "missing" })).toMatch(/<input [^>]*aria-invalid/);
    expect(pages.signIn({ ...signIn, problem: "wrong_credentials" })).not.toMatch(/<input [^>]*aria-invalid/);
  });

  it("without a client there is nobody to show and nothing to cancel", () => {
    const shown = pages.signIn({ ...signIn, client: null });
    expect(textOf(shown)).not.toMatch(/Step 1|verified|Cancel|The app/);
  });
});

describe("the client", () => {
  it.each([
    [{}, ["Claude", "Name not verified", "An app on this computer", "Anybody can choose this name"]],
    [{ name: null }, ["An app without a name", "Name not verified"]],
    [{ name: "\u200b\u202e" }, ["An app without a name"]],
    [{ host: "app.example" }, ["app.example"]],
    [{ scheme: "cursor" }, ["An app that opens cursor: links"]],
    [{ host: "app.example", scheme: "cursor" }, ["app.example"]],
    [{ scheme: "x".repeat(100) }, [`An app that opens ${"x".repeat(39)}…: links`]],
  ])("[security.md] with %o is shown as far as a person can judge it", (facts, expected) => {
    for (const step of [
      pages.signIn({ ...signIn, client: { ...client, ...facts } }),
      pages.review({ ...review, client: { ...client, ...facts } }),
    ]) {
      const text = textOf(step);
      for (const words of [...expected, "http://127.0.0.1:1/back"]) expect(text).toContain(words);
    }
  });

  it("[security.md] a name that the operator gave is marked verified, without the warning", () => {
    const text = textOf(pages.review({ ...review, client: { ...client, isVerified: true } }));
    expect(text).toContain("Name verified");
    expect(text).not.toMatch(/not verified|Anybody/);
  });

  it("its name stands apart, where it can complete no sentence of ours", () => {
    for (const step of [pages.signIn(signIn), pages.review(review)])
      expect(step.match(/.*Claude.*/g)).toEqual([
        expect.stringMatching(/^<h2><bdi>Claude<\/bdi> <span class="badge">/),
      ]);
  });
});

describe("step 2", () => {
  const shown = pages.review(review);

  it("[S1-5.15] shows the client_id masked, and the way to other credentials as a form of its own", () => {
    expect(textOf(shown)).toContain("Family office wca_••••••••3f9a");
    expect(fieldsOf(shown, "/different")).toEqual(["hidden request"]);
    expect(shown).toMatch(/<button [^>]*>Use different credentials<\/button>/);
  });

  it("[C-9.3] posts the chosen scopes and the decision, in plain HTML", () => {
    const content = formOf(shown, "/decision");
    expect(content.match(/name="decision" value="[a-z]+">\w+/g)).toEqual([
      'name="decision" value="approve">Approve',
      'name="decision" value="deny">Deny',
    ]);
    const choices = [...content.matchAll(/<input type="checkbox" name="scope" value="([^"]*)"( checked)?>/g)];
    expect(choices.map(([, scope, checked]) => [scope, checked !== undefined]).sort()).toEqual(
      review.scopes.map(({ scope, isChecked }) => [scope, isChecked]).sort(),
    );
  });

  it.each(TENANT_SCOPES)("%s is said in words, and in one sentence what it allows", (scope) => {
    const { title, allows } = permissionWords(wordsIn.en, scope);
    expect(title).not.toBe(scope);
    expect(allows).toMatch(/^[A-Z].+\.$/);
    expect(textOf(shown)).toContain(`${title} ${allows}`);
  });

  it("[security.md] deletion is set apart, with a warning, and can be deselected", () => {
    const [others = "", apart = ""] = [...shown.matchAll(/<fieldset.*?<\/fieldset>/gs)].map(([set]) => set);
    expect(others).not.toContain("connections:delete");
    expect(apart.match(/name="scope" value="[^"]*"/g)).toEqual(['name="scope" value="connections:delete"']);
    expect(apart).toContain("cannot be recovered");
    expect(apart).not.toContain("disabled");
  });

  it("without deletion there is nothing apart; with deletion alone nothing else", () => {
    const only = (scope: string) => pages.review({ ...review, scopes: [{ scope, isChecked: true }] });
    expect(only("investments:read").match(/<fieldset/g)).toHaveLength(1);
    expect(only("investments:read")).not.toContain("brought back");
    expect(only("connections:delete").match(/<fieldset class="apart"/g)).toHaveLength(1);
    expect(only("connections:delete").match(/<fieldset/g)).toHaveLength(1);
  });

  it("a permission that this release does not know is shown by its name, not left out", () => {
    expect(textOf(pages.review({ ...review, scopes: [{ scope: "x:y", isChecked: true }] }))).toContain("x:y");
  });

  it("nothing chosen is told at once", () => {
    expect(alertsOf(page("review-no-scope"))).toEqual([expect.stringContaining("Choose at least one permission")]);
    expect(alertsOf(shown)).toEqual([]);
  });
});

describe("notices", () => {
  const kinds: Record<NoticePageKind, string> = {
    bad_request: "start again",
    unknown_client: "add it again",
    client_unreachable: "whoever runs this server",
    bad_redirect: "You were not sent there",
    expired: "Start again from the app",
    answered: "Go back to the app",
    other_browser: "Allow cookies",
    cancelled: "You can close this page",
    too_large: "enter less",
    busy: "Wait a minute",
    away: "tries again by itself",
    defect: "reference",
  };

  it.each(Object.entries(kinds))("%s says how to go on", (kind, words) => {
    const shown = pages.notice({ kind: kind as NoticePageKind, detail: null, traceId: null, backTo: null });
    expect(textOf(shown)).toContain(words);
    expect(shown).not.toMatch(/<form|<h2|Reference:|null|undefined/);
  });

  it("[C-9.61] the way back to a client that nobody has verified is a link, with where it leads", () => {
    const shown = page("notice-cancelled");
    expect(shown).toContain('<a class="more" href="http://127.0.0.1:33418/oauth/callback?error=access_denied">');
    expect(textOf(shown)).toContain("It is at http://127.0.0.1:33418/oauth/callback, and nobody has verified it.");
  });

  it("on the page of grants it leads back there", () => {
    const shown = pages.notice({ kind: "other_browser", detail: null, traceId: null, backTo: "/grants" });
    expect(shown).toContain('href="/grants"');
    expect(textOf(shown)).not.toContain("start again from the app");
  });

  it("the detail is for the developer, as text, and the reference for the log", () => {
    const shown = pages.notice({ kind: "bad_request", detail: "scope: <b>", traceId: "c0ffee", backTo: null });
    expect(shown).toMatch(/For the developer of the app<\/h2>\s*<p>scope: &#60;b&#62;<\/p>/);
    expect(shown).toContain("Reference: <code>c0ffee</code>");
  });
});

describe("grants", () => {
  it("each says who, by what application, what, since when, last used and until when", () => {
    const [card = ""] = page("grants").match(/<li class="card">.*?<\/form>/s) ?? [];
    const text = textOf(`<main>${card}`);
    for (const words of ["Claude", "Approved in a browser · Family office", ...TENANT_SCOPES.map(titleOf)])
      expect(text).toContain(words);
    expect(text).toContain("Since 2 Feb 2026, 08:30 UTC");
    expect(text).toContain("Last used 1 Mar 2026, 17:05 UTC");
    expect(text).toContain("Valid until 31 Mar 2026, 17:05 UTC");
    expect(card).toContain('<time datetime="2026-03-31T17:05:00.000Z">');
  });

  it("each has a button that names what it ends (WCAG 2.2, 2.4.6)", () => {
    const buttons = [...page("grants").matchAll(/<button class="ends"[^>]*>(.*?)<\/button>/g)].map(
      ([, label]) => label,
    );
    expect(buttons.map((label) => textOf(`<main>${label}`))).toEqual([
      "End access of Claude",
      "End all access of Nightly report",
    ]);
  });

  it("the page says who is signed in, and lets them sign out", () => {
    expect(textOf(page("grants"))).toContain("Signed in as Family office wca_••••••••3f9a Sign out");
    expect(fieldsOf(page("grants"), "/grants/sign-out")).not.toEqual([]);
  });

  it("without any it says so", () => {
    expect(textOf(page("grants-empty"))).toContain("Nobody has access");
    expect(page("grants-empty")).not.toContain('class="grants"');
  });

  it("an access that was just ended is told politely, and the next page is a link", () => {
    const view = {
      tenantApplicationName: "A",
      showsWholeTenant: false,
      maskedClientId: "wca_",
      person: null,
      grants: [],
      signOut: form("/out"),
    };
    const shown = pages.grants({ ...view, hasEndedOne: true, next: "/grants?after=2&x", back: null });
    expect(shown).toContain('role="status"');
    expect(textOf(shown)).toContain("Access has ended.");
    expect(shown).toContain('href="/grants?after=2&#38;x"');
    expect(pages.grants({ ...view, hasEndedOne: false, next: null, back: null })).not.toMatch(
      /role="status"|Show more/,
    );
  });
});

describe("names that strangers chose", () => {
  it.each(states.filter(({ name }) => name.endsWith("hostile")))(
    "$name escapes, cuts and straightens them",
    ({ page }) => {
      expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(page).not.toMatch(/<img|onerror="/);
      expect(page).toContain("<bdi>dnuf &#60;img");
      expect(page.match(/Support/g)).toBeNull();
      for (const [, value = ""] of page.matchAll(/="([^"]*)"/g)) expect(value).not.toContain("dnuf");
    },
  );

  it.each([
    ["Claude", "Claude"],
    ["  two\n\tlines ", "two lines"],
    ["a\u202eb\u2066c\u200d\u200bd\ufeff\u061ce", "abcde"],
    ["nul\0 esc\u001b[31m del\u007f c1\u0085", "nul esc[31m del c1"],
    ["tag\u{e0041}s private\ue000", "tags private"],
    ["\u3164\u2800\u115f", null],
    ["lone \ud800 surrogate", "lone \ufffd surrogate"],
    [`zalgo a${"\u0301".repeat(50)}`, "zalgo a\u0301\u0301\u0301"],
    ["محاسب", "محاسب"],
    ["", null],
    ["x".repeat(21), `${"x".repeat(19)}…`],
    ["x".repeat(20), "x".repeat(20)],
    ["\u{1f600}".repeat(21), `${"\u{1f600}".repeat(19)}…`],
  ])("the name %j reads %j (Unicode TR 36, 3)", (text, expected) => {
    expect(claimedText(text, 20)).toBe(expected);
  });

  it.each([
    ["app.example:8443", "app.example:8443"],
    [`${"login.bank.".repeat(9)}evil.example`, `…bank.${"login.bank.".repeat(4)}evil.example`],
    [`${"a".repeat(90)}.example`, "…example"],
  ])("of the host %j the end is shown, which says whose it is", (host, expected) => {
    expect(claimedHost(host)).toBe(expected);
  });

  it.each([
    ["http://localhost:3118/callback?a=b#c", "http://localhost:3118/callback?a=b#c"],
    ["https://bank.example@evil.example/x", "https://evil.example/x"],
    ["https://bаnk.example/", "https://xn--bnk-6cd.example/"],
    ["cursor://anysphere.cursor-retrieval/oauth", "cursor://anysphere.cursor-retrieval/oauth"],
    ["com.example.app:/back", "com.example.app:/back"],
    [`https://a.example/${"p".repeat(300)}`, `https://a.example/${"p".repeat(78)}…`],
    ["no address", "no address"],
  ])("the address %j reads %j", (address, expected) => {
    expect(claimedAddress(address)).toBe(expected);
  });
});

it.each([
  [0, "in 1 second"],
  [40.2, "in 41 seconds"],
  [90, "in 90 seconds"],
  [91, "in 2 minutes"],
  [5400, "in 90 minutes"],
  [5401, "in 2 hours"],
])("%d seconds are waited %s, never too short", (seconds, words) => {
  expect(waitInWords("en", seconds)).toBe(words);
});

const titleOf = (scope: string) => permissionWords(wordsIn.en, scope).title;

function formOf(page: string, action: string): string {
  return new RegExp(`<form [^>]*action="${action}"[^>]*>(.*?)</form>`, "s").exec(page)?.[1] ?? "";
}

function fieldsOf(page: string, action: string): string[] {
  return [...formOf(page, action).matchAll(/<input [^>]*>/g)].map(
    ([input]) => `${/ type="([^"]*)"/.exec(input)?.[1]} ${/ name="([^"]*)"/.exec(input)?.[1]}`,
  );
}

function alertsOf(page: string): string[] {
  return [...page.matchAll(/<div [^>]*role="alert"[^>]*>(.*?)<\/div>/gs)].map(([, content]) =>
    textOf(`<main>${content}`),
  );
}

/** The text of `main` without markup, with single spaces. */
function textOf(page: string): string {
  const words = page
    .slice(page.indexOf("<main>"))
    .replaceAll("<wbr>", "")
    .replace(/<[^>]*>/g, " ");
  const text = words.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return text.replace(/\s+/g, " ").trim();
}
