import { type CredentialField, languages } from "@org/provider-kit";
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
