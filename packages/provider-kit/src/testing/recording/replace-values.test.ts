import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isIsin, isinOf } from "../../isin.js";
import { createLeakWatch } from "../leaks.js";
import { writeJson } from "./recording.js";
import { replaceValues } from "./replace-values.js";

const salt = new Uint8Array(32);
const exchange = (body: string, path = "/accounts") => ({
  method: "GET" as const,
  url: new URL(`https://api.bank.example${path}`),
  headers: {},
  body: null,
  answer: { status: 200, headers: { "content-type": "text/anything", "x-session": "s3cr3t" }, body: Buffer.from(body) },
});
/** An answer with other values, as text. */
function replacedIn(body: string, secrets: readonly string[] = []): string {
  const one = exchange(body);
  const { json, text } = replaceValues([one], { secrets, salt }).answer(one);
  return text ?? writeJson(json);
}

/** Finds secrets in a text, in any form. */
function createLeaksOf(secrets: readonly string[]): (text: string) => readonly string[] {
  return (text) => {
    const watch = createLeakWatch();
    watch.learn(secrets);
    watch.look("the text", text);
    return watch.found;
  };
}

const letters = fc.stringMatching(/^[A-Za-z]{6,12}$/);
const anyValue = fc.oneof(
  fc.stringMatching(/^[A-Z][a-z]{5,9} [A-Z][a-z]{5,9}$/),
  fc.stringMatching(/^[A-Z]{2}[0-9]{8,20}$/),
  fc.stringMatching(/^-?[1-9][0-9]{5,12}\.[0-9]{2}[1-9]$/),
  fc.stringMatching(/^[1-9][0-9]{6,17}$/),
  fc.uuid(),
  letters,
  fc.stringMatching(/^[A-Z0-9]{9}$/).map((number) => isinOf("DE", number)),
);
const names = ["name", "holder", "iban", "amount", "id", "text", "symbol", "nested_value", "accountNumber", "code"];
const row = fc.dictionary(fc.constantFrom(...names), anyValue, { minKeys: 1, maxKeys: 8 });
/** Texts in which an original could be recognised. */
const recognisable = (value: string) => value.match(/[\p{L}\p{N}.]{6,}/gu) ?? [];

it("[C-5.230] different numbers stay different ones, however short they are", () => {
  const short = Array.from({ length: 40 }, (_, n) => String(11 + n)).filter((text) => !text.includes("0"));
  const amounts = Array.from({ length: 2_000 }, (_, n) => `${n % 7}${1_000 + n}.${10 + (n % 80)}`);
  const single = ["1", "2", "3", "5", "8"];
  const stated = [...new Set([...single, ...short, ...amounts])];
  const made: readonly { readonly value: string }[] = JSON.parse(
    replacedIn(JSON.stringify(stated.map((value) => ({ value })))),
  );
  expect(new Set(made.map(({ value }) => value)).size).toBe(stated.length);
});

describe("[C-5.172] what answers say of a customer", () => {
  it("is in no recording: whatever stands under whichever name, in JSON and in XML", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const xml = `<rows>${rows
          .map(
            (one) =>
              `<row ${Object.entries(one)
                .map(([name, value]) => `${name}="${value}"`)
                .join(" ")}>${Object.values(one)[0]}</row>`,
          )
          .join("")}</rows>`;
        for (const written of [replacedIn(JSON.stringify({ rows, type: "FILL" })), replacedIn(xml)])
          for (const value of rows.flatMap((one) => Object.values(one)).flatMap(recognisable))
            expect(written).not.toContain(value);
      }),
      { seed: 5_172, numRuns: 200 },
    );
  });

  it("[C-5.198] is in no text for people and no word of an institution, where it is a secret in any form", () => {
    const [user, pin] = ["larkspur-4711", "right-pin/of+larkspur"];
    const { masked } = replaceValues([], { secrets: [user, pin], salt });
    const sent = `${user}:${pin}`;
    for (const form of [sent, Buffer.from(sent).toString("base64"), Buffer.from(sent).toString("hex")])
      for (const shown of [form, encodeURIComponent(form), ` ${form} `])
        expect(createLeaksOf([user, pin])(masked(`refused: ${shown}`))).toEqual([]);
    expect(masked("refused: invalid_type")).toBe("refused: invalid_type");
    expect(replacedIn('{"status":"Refused kept-by-larkspur"}', ["kept-by-larkspur"])).not.toContain("larkspur");
    expect(replacedIn('{"status":"Refused"}', ["kept-by-larkspur"])).toContain("Refused");
  });

  it("keeps its shape: digits, signs, zeros, an ISIN's check digit, the same value everywhere", () => {
    const isin = isinOf("CH", "003886335");
    const body = `{"rows":[{"isin":"${isin}","units":-12.50,"fee":"0.00","rate":1.5e-3,"ref":"AB-1234/Xy","again":"${isin}"}]}`;
    const [row] = JSON.parse(replacedIn(body)).rows;
    expect(replacedIn(body)).toMatch(/"units":-[1-9]\d\.[1-9]0,/);
    expect(row).toMatchObject({
      fee: "0.00",
      ref: expect.stringMatching(/^[A-Z]{2}-\d{4}\/[A-Z][a-z]$/),
      again: row.isin,
    });
    expect([isIsin(row.isin), row.isin.slice(0, 2), row.isin === isin]).toEqual([true, "CH", false]);
  });

  it("leaves the institution's words, times, currencies and counts, and says under which names", () => {
    const told = {
      type: "FILL",
      side: "buy",
      currency: "CHF",
      booked_at: "2026-03-02T09:00:00Z",
      total_pages: 3,
      errorCode: "1019",
      error: ["EAPI:Invalid key"],
    };
    const one = exchange(JSON.stringify(told));
    const replacer = replaceValues([one], { secrets: [], salt });
    expect(JSON.parse(writeJson(replacer.answer(one).json))).toEqual(told);
    expect(replacer.codes).toEqual(["booked_at", "currency", "error", "errorCode", "side", "total_pages", "type"]);
    expect(replacer.answer(one).headers).toEqual({ "content-type": "text/anything" });
  });

  it("[C-5.303] stays where the author named the member, whatever it looks like, but no secret and no part of a name", () => {
    const told = {
      rows: [{ symbol: "AAPL270115C00250000", strike: 250.5, about: { S: "AAPL270115C00250000" }, qty: 250.5 }],
      seen: { symbol: "Quillon", id: "Quillon", mark: "pin-of-ada" },
      owner: "Ada Quillon",
    };
    const one = exchange(JSON.stringify(told));
    const replacer = replaceValues([one], { secrets: ["pin-of-ada"], salt, words: ["Symbol", "strike", "mark"] });
    const { rows, seen, owner } = JSON.parse(writeJson(replacer.answer(one).json));
    expect(rows).toEqual([{ ...told.rows[0], qty: expect.not.closeTo(250.5) }]);
    expect(seen).toMatchObject({ symbol: "Quillon", id: expect.not.stringMatching("Quillon") });
    expect([seen.mark, owner].join()).not.toMatch(/pin-of-ada|Quillon/);
    expect(replacer.codes).toEqual(["strike", "symbol"]);
  });

  it.each([
    ['"birth_date":"1987-04-12"', "1987-04-12"],
    ['"detail":"Rent to Quillon"', "Quillon"],
    ['"share_count":4321', "4321"],
    ['"position_size":4321', "4321"],
    ['"credit_limit":4321', "4321"],
    ['"limit":4321', "4321"],
    ['"day_change":20994321', "20994321"],
  ])("is no word, time or count of the institution: %s", (member, value) => {
    expect(replacedIn(`{${member}}`)).not.toContain(value);
  });

  it("is no word where it is a credential, stands elsewhere too, or is a part of somebody's name", () => {
    const written = replacedIn(
      '{"type":"Larkspur","kind":"Velmora","state":"Quillon","owner":"Ada Quillon","text":"Velmora"}',
      ["Larkspur"],
    );
    expect(written).not.toMatch(/Larkspur|Velmora|Quillon/);
  });

  it("is in no address, member name or message", () => {
    const one = exchange(
      '{"DE1234567":{"next":"https://api.bank.example/accounts/7654321?cursor=abc123&limit=2"}}',
      "/accounts/7654321",
    );
    const replacer = replaceValues([one], { secrets: ["pin-of-ada"], salt });
    expect(writeJson(replacer.answer(one).json)).toMatch(
      /^\{"[A-Z]{2}\d{7}":\{"next":"https:\/\/api\.bank\.example\/accounts\/\d{7}\?cursor=[a-z]{3}\d{3}&limit=\d"\}\}$/,
    );
    expect(replacer.call(one)).toBe("GET /accounts/{id}");
    expect(replacer.masked("accounts.12.value: DE1234567 and pin-of-ada are odd")).toBe(
      "accounts.*.value: … and … are odd",
    );
    expect(replacer.masked("answered 503: a sum is 81.25, not 123456")).toBe("answered 503: a sum is …, not …");
  });

  it.each([
    ["a comment, a declaration and CDATA", '<?xml version="1.0"?><!-- Ada Quillon --><a><![CDATA[Ada Quillon]]></a>'],
    ["an apostrophe and an entity", `<a b="O'Quillon &amp; Quillon" c='Quillon "Ada"'>Quillon &lt;Ada&gt;</a>`],
    ["half of an answer", '<a><b name="Quillon"><c>Quillon</c'],
    ["half of JSON", '{"name":"Quillon","value":12'],
    ["a page", "<html><body>Dear Quillon</body></html>"],
  ])("is not left in XML and text: %s", (_, body) => {
    expect(replacedIn(body)).not.toMatch(/Quillon|Ada\b/);
  });
});
