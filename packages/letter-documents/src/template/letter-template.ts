import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fault, invalid, invalidValue, type LetterTemplate, type LetterText, sessionLanguages } from "@org/core";
import { fillTemplate, type TemplateValues, templateFaults } from "./fill-template.js";
import { builtInTexts } from "./texts.js";
import type * as Typesetting from "./typeset.js";

/** Template files that cannot be used. */
export class LetterTemplateError extends Error {
  override readonly name = "LetterTemplateError";

  /** @param problems one line for each fault */
  constructor(readonly problems: readonly string[]) {
    super(problems.join("; "));
  }
}

/**
 * Generates letters (S2 §1) from the built-in texts or from those in `folder`: `<language>.txt`, and for one custodian
 * `<connector id with - for :>.<language>.txt`.
 * @throws LetterTemplateError naming every file that cannot be used
 */
export function createLetterTemplate(folder: string | undefined): LetterTemplate {
  const texts = folder === undefined ? new Map<string, string>() : readTexts(folder);
  return async (text) => {
    // Typesetting takes time to load, and most servers never generate a letter.
    const { typeset, unprintable } = await import("./typeset.js");
    const { language } = text.details;
    const template =
      texts.get(`${text.connector_id.replaceAll(":", "-")}.${language}`) ??
      texts.get(language) ??
      builtInTexts[language];
    refuseUnprintable(text, unprintable);
    return typeset(fillTemplate(template, valuesOf(text)), text.date);
  };
}

function readTexts(folder: string): Map<string, string> {
  const problems: string[] = [];
  const texts = new Map<string, string>();
  let files: string[] = [];
  try {
    files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  } catch {
    problems.push(`${folder} is not a folder that can be read`);
  }
  for (const file of files) {
    const name = file.slice(0, -".txt".length);
    const text = readFileSync(join(folder, file), "utf8");
    const language = name.split(".").at(-1) as (typeof sessionLanguages)[number];
    if (!sessionLanguages.includes(language))
      problems.push(`${file} must end with one of ${sessionLanguages.map((l) => `.${l}.txt`).join(", ")}`);
    problems.push(...templateFaults(text).map((fault) => `${file}: ${fault}`));
    texts.set(name, text);
  }
  if (problems.length > 0) throw new LetterTemplateError(problems);
  return texts;
}

function valuesOf({ letter_id, bank, authorized, details, date }: LetterText): TemplateValues {
  const day = (at: Date) =>
    new Intl.DateTimeFormat(details.language, { dateStyle: "long", timeZone: "UTC" }).format(at);
  return {
    full_name: details.full_name,
    address: details.address.join("\n"),
    authorized: authorized.name,
    authorized_address: authorized.address.length > 0 ? authorized.address.join("\n") : null,
    bank,
    date: day(date),
    reference: letter_id,
    accounts: details.accounts.length > 0 ? details.accounts.join(", ") : null,
    when_all_accounts: details.accounts.length > 0 ? null : "",
    birth_date: details.birth_date === undefined ? null : day(new Date(details.birth_date)),
    tax_id: details.tax_id ?? null,
  };
}

/** A letter with boxes instead of a name would be worse than none. */
function refuseUnprintable(
  { details, bank, authorized }: LetterText,
  unprintable: typeof Typesetting.unprintable,
): void {
  const printed: Record<string, string> = {
    "details.full_name": details.full_name,
    "details.address": details.address.join("\n"),
    "details.accounts": details.accounts.join("\n"),
    "details.tax_id": details.tax_id ?? "",
    connector_id: bank,
    "tenant.legal_name": authorized.name,
    "tenant.postal_address": authorized.address.join("\n"),
  };
  const faults: Fault[] = Object.entries(printed).flatMap(([field, text]) => {
    const characters = unprintable(text);
    return characters.length > 0
      ? [invalidValue(field, `has characters that the letter cannot show: ${characters.slice(0, 10).join(" ")}`)]
      : [];
  });
  if (faults.length > 0) throw invalid(...faults);
}
