import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CoreError, invalid, invalidValue, type LetterTemplate, type LetterText, sessionLanguages } from "@org/core";
import { createThread } from "../thread.js";
import { fillTemplate, type TemplateValues, templateFaults } from "./fill-template.js";
import { builtInTexts } from "./texts.js";
import type { LetterToWrite, WrittenLetter } from "./write-letter.js";

/** Template files that cannot be used. */
export class LetterTemplateError extends Error {
  override readonly name = "LetterTemplateError";

  /** @param problems one line for each fault */
  constructor(readonly problems: readonly string[]) {
    super(problems.join("; "));
  }
}

const IDLE_MS = 30_000;
const TIME_MS = 60_000;

/**
 * Generates letters (S2 §1) from the built-in texts or from those in `folder`: `<language>.txt`, and for one custodian
 * `<connector id with - for :>.<language>.txt`.
 * @param write typesets a letter; by default in a thread, since it takes a tenth of a second of a processor
 * @throws LetterTemplateError naming every file that cannot be used
 */
export function createLetterTemplate(folder: string | undefined, write = writeInThread()): LetterTemplate {
  const texts = folder === undefined ? new Map<string, string>() : readTexts(folder);
  return async (text) => {
    const { language } = text.details;
    const template =
      texts.get(`${text.connector_id.replaceAll(":", "-")}.${language}`) ??
      texts.get(language) ??
      builtInTexts[language];
    const letter = fillTemplate(template, valuesOf(text));
    const written = await write({ letter, values: printedValues(text), date: text.date });
    if ("bytes" in written) return written.bytes;
    throw invalid(
      ...written.unprintable.map(([field, characters]) =>
        invalidValue(field, `has characters that the letter cannot show: ${characters.slice(0, 10).join(" ")}`),
      ),
    );
  };
}

/** The thread is started with the first letter: most servers never generate one. A bundler must place `letter-worker.js` next to this code. */
function writeInThread(): (letter: LetterToWrite) => Promise<WrittenLetter> {
  const workerFile = new URL("letter-worker.js", import.meta.url);
  const thread = createThread<LetterToWrite, WrittenLetter, null>(workerFile, {}, IDLE_MS);
  return (message) =>
    thread.ask(
      () => ({ message }),
      (_ready, refuse) => {
        const timer = setTimeout(() => refuse(tooSlow), TIME_MS);
        return () => clearTimeout(timer);
      },
    );
}

const tooSlow = new CoreError("UNAVAILABLE", `a letter could not be written within ${TIME_MS / 1_000} s`, {
  retryAfterSeconds: 60,
});

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

function printedValues({ details, bank, authorized }: LetterText): LetterToWrite["values"] {
  return {
    "details.full_name": details.full_name,
    "details.address": details.address.join("\n"),
    "details.accounts": details.accounts.join("\n"),
    "details.tax_id": details.tax_id ?? "",
    connector_id: bank,
    "tenant.legal_name": authorized.name,
    "tenant.postal_address": authorized.address.join("\n"),
  };
}
