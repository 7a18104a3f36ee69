import { AUDIT_ACTIONS, EVENT_TYPES, OPERATOR_EVENT_TYPES } from "@org/core";
import { describe, expect, it } from "vitest";
import { languages, type Words } from "../language/language.js";
import { auditSentences } from "./audit-sentences.js";
import { eventSentences } from "./event-sentences.js";
import { notAskable } from "./event-types.js";
import { eventParts, lineParts } from "./parts-of-sentence.js";

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
