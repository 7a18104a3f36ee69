import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AUDIT_ACTIONS, conflictReasons, EVENT_TYPES, OPERATOR_EVENT_TYPES, remarkCodes } from "@org/core";
import { describe, expect, it } from "vitest";
import { languages, type Words } from "../language/language.js";
import { remarkWords } from "../screens/letter/remark-words.js";
import { auditSentences } from "./audit-sentences.js";
import { eventSentences } from "./event-sentences.js";
import { notAskable } from "./event-types.js";
import { eventParts, lineParts } from "./parts-of-sentence.js";
import { refusalWords } from "./refusal-words.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

const line = { action: "", actor: "system", object_type: "letter", object_id: "1", tenant_id: null, facts: {} };
const suites: readonly [string, readonly string[], Words<Readonly<Record<string, string>>>, readonly string[]][] = [
  ["action of the audit trail", AUDIT_ACTIONS, auditSentences, Object.keys(lineParts(line))],
  ["type of event", EVENT_TYPES, eventSentences, Object.keys(eventParts({}, "1"))],
];
const placeholders = (sentence: string | undefined) =>
  [...(sentence ?? "").matchAll(/\{(\w+)!?\}/g)].map(([, name]) => name).sort();

describe.each(suites)("[C-14.842] each %s", (_, all, sentences, parts) => {
  it.each(languages)("has a sentence in %s, which names what the English one does", (language) => {
    const missing = all.filter((one) => !sentences[language][one]);
    expect(missing).toEqual([]);
    const different = all.filter(
      (one) => `${placeholders(sentences[language][one])}` !== `${placeholders(sentences.en[one])}`,
    );
    expect(different).toEqual([]);
    const unknown = all.flatMap((one) =>
      placeholders(sentences[language][one]).filter((name) => !parts.includes(name ?? "")),
    );
    expect(unknown).toEqual([]);
    expect(Object.keys(sentences[language]).filter((one) => !all.includes(one))).toEqual([]);
  });
});

it("[C-14.950] what an endpoint can ask for is what the server takes", () => {
  expect([...notAskable].sort()).toEqual([...OPERATOR_EVENT_TYPES, "webhook.test"].sort());
});

describe.each(languages)("[C-14.983] in %s", (language) => {
  it("each reason of a refusal and each remark about a letter has a sentence of its own", () => {
    const refusals: Readonly<Record<string, string>> = refusalWords[language];
    expect(Object.keys(refusals).sort()).toEqual([...conflictReasons].sort());
    expect(new Set(Object.values(refusals)).size).toBe(conflictReasons.length);
    const remarks = remarkCodes.map((code) => remarkWords[language][code]("550 no"));
    expect(new Set(remarks).size).toBe(remarkCodes.length);
  });

  it("no sentence is the English one", () => {
    if (language === "en") return;
    const english = new Set([
      ...Object.values(refusalWords.en),
      ...remarkCodes.map((code) => remarkWords.en[code]("550 no")),
    ]);
    const own = [
      ...Object.values(refusalWords[language]),
      ...remarkCodes.map((code) => remarkWords[language][code]("550 no")),
    ];
    expect(own.filter((sentence) => english.has(sentence))).toEqual([]);
  });
});

it("[C-14.983] whatever is refused as a conflict says why: services make no CONFLICT without a reason", () => {
  const files = ["packages", "apps/server/src"].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
      .filter(
        (file) =>
          /(^|\/)src\/.*\.ts$|^(?!.*\/).*\.ts$/.test(file) &&
          !/node_modules|\/dist\/|\/testing\/|\.test\.ts$/.test(file),
      )
      .map((file) => `${root}/${folder}/${file}`),
  );
  expect(files.length).toBeGreaterThan(500);
  const bare = files.filter((file) => /new CoreError\(\s*"CONFLICT"/.test(readFileSync(file, "utf8")));
  expect(bare.map((file) => file.slice(root.length).replace(/^\//, ""))).toEqual(["packages/core/src/errors.ts"]);
});
