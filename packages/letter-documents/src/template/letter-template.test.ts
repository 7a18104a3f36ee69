import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { CoreError, type LetterText, letterDetailsSchema, sessionLanguages } from "@org/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fillTemplate, templateFaults } from "./fill-template.js";
import { createLetterTemplate as createTemplate } from "./letter-template.js";
import { builtInTexts } from "./texts.js";
import { writeLetter } from "./write-letter.js";

const createLetterTemplate = (from: string | undefined) => createTemplate(from, writeLetter);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letter-templates-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = (over: object = {}): LetterText => ({
  letter_id: "01900000-0000-7000-8000-000000000001",
  connector_id: "esp:custodia",
  bank: "Custodia Montelirio",
  authorized: { name: "Family Office S.L.", address: ["Gran Vía 1", "28013 Madrid"] },
  details: letterDetailsSchema.parse({ full_name: "Zoë Müller", address: ["Calle Mayor 1", "28013 Madrid"], ...over }),
  date: new Date("2026-03-02T09:00:00Z"),
});
const values = {
  full_name: "Ana",
  address: "Calle Mayor 1\n28013 Madrid",
  authorized: "Family Office S.L.",
  authorized_address: null,
  bank: "Custodia",
  date: "2 March 2026",
  reference: "r",
  accounts: null,
  when_all_accounts: "",
  birth_date: null,
  tax_id: "T1",
};

describe("[S2-3.3] the generated letter", () => {
  it.each(sessionLanguages)(
    "in %s is a PDF of one page with the client's name, the custodian and a place to sign",
    async (language) => {
      const bytes = await createLetterTemplate(undefined)(text({ language, accounts: ["ES91 2100"], tax_id: "X1" }));
      const document = await PDFDocument.load(bytes);
      expect(document.getPageCount()).toBe(1);
      expect(document.getCreationDate()).toEqual(new Date("2026-03-02T09:00:00Z"));
      expect(document.getTitle()).toBe(builtInTexts[language].split("\n")[0]);
      expect(templateFaults(builtInTexts[language])).toEqual([]);
    },
  );

  it("takes names in Latin, Greek and Cyrillic letters", async () => {
    for (const full_name of ["Łukasz Żółć", "Ελένη Παπαδοπούλου", "Иван Ильич", "Nguyễn Văn A"])
      await expect(createLetterTemplate(undefined)(text({ full_name }))).resolves.toBeInstanceOf(Uint8Array);
  });

  it("refuses what it could not print, field by field", async () => {
    const refused = createLetterTemplate(undefined)(text({ full_name: "山田太郎", address: ["رام الله", "B"] }));
    const error = await refused.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CoreError);
    expect((error as CoreError).details?.map(({ field }) => field)).toEqual(["details.full_name", "details.address"]);
  });

  it("[C-7.30] names who is authorized, and their address where it is known", () => {
    for (const language of sessionLanguages) {
      const { paragraphs } = fillTemplate(builtInTexts[language], values);
      expect(paragraphs).toContain("Family Office S.L.");
      const known = fillTemplate(builtInTexts[language], { ...values, authorized_address: "Gran Vía 1\n28013 Madrid" });
      expect(known.paragraphs).toContain("Family Office S.L.\nGran Vía 1\n28013 Madrid");
    }
  });

  it("long details run over several pages, whole", async () => {
    const accounts = Array.from({ length: 50 }, (_, index) => `ACCOUNT-${index}-`.padEnd(60, "9"));
    const bytes = await createLetterTemplate(undefined)(text({ accounts }));
    expect((await PDFDocument.load(bytes)).getPageCount()).toBeGreaterThan(1);
  });
});

describe("a template", () => {
  it("is filled; a line without its value is left out, a value of several lines keeps them", () => {
    const { title, paragraphs } = fillTemplate(
      "Title\n\n{{full_name}}\n{{address}}\n\nAccounts: {{accounts}}\nAll.{{when_all_accounts}}\nBorn {{birth_date}}\nTax {{tax_id}}\n\n{{signature}}\nfor {{bank}}\n",
      values,
    );
    expect(title).toBe("Title");
    expect(paragraphs).toEqual([
      "Ana\nCalle Mayor 1\n28013 Madrid",
      "All.\nTax T1",
      { signature: true },
      "for Custodia",
    ]);
  });

  it("values are text: what looks like a place in them stays", () => {
    const { paragraphs } = fillTemplate("T\n\n{{full_name}}", { ...values, full_name: "{{bank}} $& $1" });
    expect(paragraphs).toEqual(["{{bank}} $& $1"]);
  });

  it("of one's own is used for its language, and for its custodian first", async () => {
    const own = (title: string) => `${title}\n\n{{full_name}} {{bank}}\n\n{{signature}}\n`;
    writeFileSync(join(folder, "en.txt"), own("Own"));
    writeFileSync(join(folder, "esp-custodia.en.txt"), own("Custodian's own"));
    const template = createLetterTemplate(folder);
    const titleOf = async (letter: LetterText) => (await PDFDocument.load(await template(letter))).getTitle();
    expect(await titleOf(text())).toBe("Custodian's own");
    expect(await titleOf({ ...text(), connector_id: "fra:autre" })).toBe("Own");
    expect(await titleOf(text({ language: "de" }))).toBe("Ermächtigung zur Übermittlung von Finanzdaten");
  });

  it("that cannot be used stops the start, with every fault", () => {
    writeFileSync(join(folder, "en.txt"), "Title\n\n{{name}} {{full_name}}\n");
    writeFileSync(join(folder, "italian.txt"), "{{full_name}} {{bank}} {{signature}}");
    const start = () => createLetterTemplate(folder);
    for (const fault of ["en.txt: {{name}} is not known", "en.txt: {{bank}} is missing", "italian.txt must end with"])
      expect(start).toThrow(fault);
    expect(() => createLetterTemplate(join(folder, "none"))).toThrow("is not a folder");
  });
});
