import type { AnswerOf } from "../../api/paths.js";
import type { FormField, FormValues } from "../../listing/form-dialog.js";
import { linesOf } from "../../listing/lines-of.js";
import type { settingWords } from "./setting-words.js";

export type Source = AnswerOf<"/operator/v1/sources/show">["source"];
export type SourceKind = Source["kind"];
type Words = (typeof settingWords)["en"];
type Setting = Exclude<keyof Words["fields"], "source">;

const secrets = ["password", "private_key", "passphrase"] as const satisfies readonly Setting[];
const numbers = [
  "port",
  "every_minutes",
  "min_age_seconds",
  "max_files",
  "max_seconds",
  "max_file_bytes",
] as const satisfies readonly Setting[];
const lists = ["host_keys", "patterns"] as const satisfies readonly Setting[];
const of: Readonly<Record<SourceKind, readonly Setting[]>> = {
  sftp: [
    ...["host", "port", "user", "password", "private_key", "passphrase", "host_keys", "folder", "patterns"],
    ...["after", "move_to", "every_minutes", "min_age_seconds", "max_files", "max_seconds", "max_file_bytes"],
  ] as Setting[],
  push: ["patterns", "max_file_bytes"],
  folder: [],
};

/** The fields of a source's settings, with the names that the server uses in its refusals. */
export function settingFields(kind: SourceKind, before: Source["settings"] | null, words: Words, stays: string) {
  return of[kind].map((setting): FormField => {
    const isSecret = (secrets as readonly Setting[]).includes(setting);
    const value = isSecret ? undefined : before?.[setting];
    const hint = isSecret && before ? stays : (words.hints as Partial<Record<Setting, string>>)[setting];
    return {
      name: `settings.${setting}`,
      label: words.fields[setting],
      ...(hint !== undefined && { hint }),
      kind: kindOf(setting),
      initial: Array.isArray(value) ? value.join("\n") : String(value ?? ""),
      ...(setting === "after" && {
        initial: String(value ?? "leave"),
        options: (["leave", "delete", "move"] as const).map((one) => ({ value: one, label: words.afters[one] })),
      }),
      isRequired: setting === "host" || setting === "user",
    };
  });
}

function kindOf(setting: Setting): NonNullable<FormField["kind"]> {
  if (setting === "after") return "choice";
  if (setting === "private_key" || (lists as readonly Setting[]).includes(setting)) return "lines";
  if ((secrets as readonly Setting[]).includes(setting)) return "secret";
  return (numbers as readonly Setting[]).includes(setting) ? "number" : "text";
}

/** The settings in a form. Empty fields are left to the server; an empty secret stays as it is. */
export function settingsOf(kind: SourceKind, values: FormValues): Record<string, unknown> {
  const given = of[kind].flatMap((setting): [Setting, unknown][] => {
    const text = (values[`settings.${setting}`] ?? "").trim();
    if (text === "") return [];
    if ((lists as readonly Setting[]).includes(setting)) return [[setting, linesOf(text)]];
    return [[setting, (numbers as readonly Setting[]).includes(setting) ? Number(text) : text]];
  });
  return { kind, ...Object.fromEntries(given) };
}

/** The settings in a form that can be sent again: omitted secrets stay as they are. */
export function withoutSecrets(settings: Source["settings"]): Source["settings"] {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !(secrets as readonly string[]).includes(name)),
  );
}
