import { createOpenApiDocument } from "@org/rest-api";
import { expect, it } from "vitest";
import { languages } from "../language/language.js";
import { wealthWords } from "../screens/wealth/words.js";
import { fieldName, fieldNames } from "./field-names.js";

/** What pages of the console send by themselves: nobody types it, so no person can be at fault. */
const sentByThePage = new Set(
  (
    "after as attention_only before ended force include_coverage include_source_token include_status is_failing is_opened order page page_size page_token " +
    "ready_only reset set snapshot stuck takes_public_clients through totals_by totals_only unserved wait_seconds"
  ).split(" "),
);

type Schema = Readonly<Record<string, unknown>>;

it("[C-14.1027] each field that a request to the server can have is named in every language where a screen tells of a fault", async () => {
  const document = await createOpenApiDocument({ publicUrl: "https://wealth.example", letterMaxBytes: 1 });
  const names = new Set<string>();
  const collect = (schema: unknown, depth: number): void => {
    if (schema === null || typeof schema !== "object" || depth > 8) return;
    for (const [key, inner] of Object.entries(schema as Schema)) {
      if (key === "$ref") {
        const path = String(inner).split("/").slice(1);
        collect(
          path.reduce<unknown>((at, part) => (at as Schema)[part], document),
          depth + 1,
        );
      } else if (key === "properties")
        for (const [name, member] of Object.entries(inner as Schema)) {
          names.add(name);
          collect(member, depth + 1);
        }
      else if (typeof inner === "object") collect(inner, depth + 1);
    }
  };
  for (const operation of Object.values(document.paths ?? {}).flatMap((item) => Object.values(item as Schema)))
    collect((operation as Schema).requestBody, 0);
  expect(names.size).toBeGreaterThan(150);
  expect([...names].filter((name) => !sentByThePage.has(name) && !Object.hasOwn(fieldNames, name))).toEqual([]);
});

it("[C-14.1114] the end of a period is called its last day, as where it is chosen", () => {
  expect(languages.map((language) => fieldName(language, "to"))).toEqual(
    languages.map((language) => wealthWords[language].to),
  );
});

it("[C-14.1027] a field is named by the last part that has a name, and by its number in a list", () => {
  expect(languages.map((language) => fieldName(language, "contact_email"))).toEqual([
    "Contact’s e-mail",
    "E-Mail der Kontaktperson",
    "E-mail du contact",
    "Correo del contacto",
  ]);
  expect(fieldName("de", "rules[1].condition")).toBe("Regeln, 2");
  expect(fieldName("de", "configuration.connector_id")).toBe("Institut");
  expect(fieldName("en", "labels.desk")).toBe("Labels");
  expect(fieldName("fr", "constructor")).toBeUndefined();
});
