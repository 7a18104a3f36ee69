import { type AccessTerms, type CredentialField, languages } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { draw } from "./draw.js";
import type { FormFault } from "./forms.js";
import { messagesIn } from "./messages/languages.js";
import type { ScreenContext } from "./screens/screen.js";
import type { WidgetState } from "./widget-state.js";

const bank = { id: "esp:banco", name: "Banco Sol", countries: ["esp"], type: "psd2", available: true, metadata: {} };
const inEach = (word: string) => ({ en: `${word} en`, de: `${word} de`, fr: `${word} fr`, es: `${word} es` });
const fields: readonly CredentialField[] = [
  { name: "number", label: inEach("Number"), hint: inEach("Eight digits"), kind: "number", pattern: "\\d{8}" },
  { name: "pin", label: inEach("PIN"), kind: "secret", autocomplete: "current-password" },
  { name: "way", label: inEach("Way"), kind: "choice", options: [{ value: "app", label: inEach("<App>") }] },
  { name: "note", label: { en: "Note" }, required: false, pattern: "[a-z]*" },
  { name: "plain" },
];

const contextIn = (language: (typeof languages)[number]): ScreenContext => ({
  language,
  messages: messagesIn[language],
  path: "/connect/link",
  site: "",
  csrfToken: "t",
  requester: null,
});
function drawn(state: WidgetState, faults: readonly FormFault[] = [], language: (typeof languages)[number] = "en") {
  const { title, body } = draw(contextIn(language), state, faults);
  return { title, html: body.text, text: body.text.replace(/<[^>]+>/g, " ") };
}
const credentials = (asked: readonly CredentialField[], more = {}): WidgetState => ({
  screen: "credentials",
  bank,
  relogin: false,
  bank_fixed: true,
  terms: null,
  fields: asked,
  refused: null,
  cut_off: false,
  ...more,
});
const ask: WidgetState = {
  screen: "ask",
  bank: "Banco Sol",
  relogin: false,
  fields,
  message: "Choose!",
  refused: null,
};
const redirect: Extract<WidgetState, { screen: "redirect" }> = {
  screen: "redirect",
  bank: "Banco Sol",
  relogin: false,
  terms: null,
  bank_fixed: true,
  host: "login.bank.example",
  declined: false,
  refused: null,
};

describe.each([
  ["the login", credentials(fields), "credentials"],
  ["a question in the middle", ask, "answer"],
] as const)("the fields of %s", (_, state, form) => {
  it.each(languages)("are in the bank's words in %s, and the form is posted with their own names", (language) => {
    const { html, text } = drawn(state, [], language);
    expect(html).toContain(`action="/connect/link/${form}"`);
    for (const word of ["Number", "Eight digits", "PIN", "Way", "&#60;App&#62;"])
      expect(text).toContain(`${word} ${language}`);
    expect([...html.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(fields.map(({ name }) => name)),
    );
  });

  it("are what they say: digits for a number, hidden for a secret, one of several, and only one may be left out", () => {
    const { html, text } = drawn(state);
    expect(html).toMatch(/<input id="number" [^>]*inputmode="decimal"[^>]* aria-describedby="number-hint">/);
    expect(html).toMatch(/<input id="pin" name="pin" type="password" autocomplete="current-password"/);
    expect(html).toContain(`<input type="radio" id="way" name="way" value="app">`);
    expect(html).toMatch(/<input id="plain" name="plain" type="text" autocomplete="off"/);
    expect(text.match(/\(optional\)/g)).toHaveLength(1);
    expect(text).toContain("Show “PIN en”");
    expect(html).not.toMatch(/<input id="[^>]* value=|pattern=/);
  });

  it("each have their fault, in words that name them and in their order", () => {
    const { title, html, text } = drawn(state, [
      { field: "pin", missing: true },
      { field: "way", missing: true },
      { field: "number", missing: false },
      { field: "plain", missing: false },
    ]);
    expect(title).toMatch(/^Error: /);
    for (const message of [
      "“Number en” does not look right. Check what you entered",
      "Fill in “PIN en”",
      "Choose an answer for “Way en”",
      "This is too long or contains characters that cannot be used",
    ])
      expect(text).toContain(message);
    const links = [...html.matchAll(/<a href="#(\w+)">/g)].map(([, name]) => name);
    expect(links).toEqual(["number", "pin", "way", "plain"]);
    expect(html).toContain('aria-describedby="number-hint number-fault"');
  });
});

describe("[C-5.167] [C-5.168] what a bank's provider says of the login", () => {
  const key = { rights: "trade", howTo: inEach("Settings"), holdings: "daily", transactions: 730 } as const;
  const landing = (terms: AccessTerms | null, privacy_notice: string | null = null): WidgetState => ({
    screen: "landing",
    bank: "Banco Sol",
    terms,
    relogin: false,
    privacy_notice,
  });

  it.each([
    [730, "Transactions of the last 2 years"],
    [365, "Transactions of the last year"],
    [90, "Transactions of the last 90 days"],
    ["all", "Transactions, as far back as your bank has them"],
  ] as const)("transactions of %j are “%s”", (transactions, words) => {
    const { html } = drawn(landing({ transactions }));
    expect(html).toContain(`<ul><li>${words}</li></ul>`);
  });

  it("[C-5.185] is that later data need another login, where the bank ends the access before the daily refresh", () => {
    expect(drawn(landing({ updates: "login" })).html).toContain(`<ul><li>${messagesIn.en.updatesByLogin}</li></ul>`);
  });

  it("is on the first page, also beside a notice of the program's own; what is not said is not there", () => {
    const own = drawn(landing(key, "Our own notice.")).text;
    expect(own).toMatch(
      /Holdings, updated daily.*Transactions of the last 2 years.*Our own notice\.\s+This access could/s,
    );
    expect(own).not.toContain("We read your portfolios");
    expect(drawn(landing({ rights: "read" })).text).toContain("This access cannot be used to buy");
    const silent = drawn(landing(null));
    expect(silent.text).toContain("We only read: we do not buy");
    expect(silent.text).not.toMatch(/cannot be used|could also/);
    expect(silent.html).not.toContain("<ul><li>");
    expect(drawn(landing(null, "Our own notice.")).text).not.toContain("We only read");
  });

  it.each(languages)(
    "is beside the fields in %s where the bank was chosen here; elsewhere only where to make a key",
    (language) => {
      const { rights, privacyHeading, holdingsRead } = messagesIn[language];
      const chosen = drawn(credentials(fields, { terms: key, bank_fixed: false }), [], language).text;
      for (const words of [privacyHeading, holdingsRead.daily, rights.trade, `Settings ${language}`])
        expect(chosen).toContain(words.replaceAll("'", "&#39;"));
      const known = drawn(credentials(fields, { terms: key }), [], language).text;
      expect(known).toContain(`Settings ${language}`);
      expect(known).not.toContain(rights.trade);
      expect(drawn({ ...redirect, terms: key, bank_fixed: false }, [], language).text).toContain(rights.trade);
    },
  );
});

describe("the login", () => {
  it("at a bank that asks for nothing is one button", () => {
    const { html, text } = drawn(credentials([]));
    expect(text).toContain("You log in on your bank&#39;s own page.");
    expect(html.match(/<input/g)).toHaveLength(2);
  });

  it("at a bank with its own fields does not speak of a password that was refused", () => {
    const refused = { attempts_left: 2, other_login: false };
    expect(drawn(credentials(fields, { refused })).text).toContain(
      "Your bank did not accept these details. You have 2 attempts left.",
    );
    expect(drawn(credentials([{ name: "username" }, { name: "password" }], { refused })).text).toContain(
      "the user name or the password. You have 2",
    );
  });
});

describe("before the page of the bank", () => {
  it.each(languages)("in %s it says where the way leads; one form goes there, another one begins again", (language) => {
    const { html, text } = drawn(redirect, [], language);
    expect(text).toContain("login.bank.example");
    expect(html).toContain('action="/connect/link/redirect"');
    expect(html).toContain('action="/connect/link/restart"');
    expect(html).toContain('data-look-again-seconds="3"');
  });

  it("somebody who declined there is told so, with what is left, and may go again", () => {
    const { html, text } = drawn({ ...redirect, declined: true, refused: { attempts_left: 1, other_login: false } });
    expect(text).toContain(
      "You did not agree on your bank&#39;s page, or you turned back there. You have 1 attempt left.",
    );
    expect(html).toContain(">Go to your bank again</button>");
  });
});
