import type { AnswerOf } from "../../api/paths.js";
import type { FormValues } from "../../listing/form-field.js";
import { linesOf } from "../../listing/lines-of.js";
import type { StepField } from "../../listing/stepped-dialog.js";
import type { settingWords } from "./setting-words.js";

export type Source = AnswerOf<"/operator/v1/sources/show">["source"];
export type SourceKind = Source["kind"];
type Words = (typeof settingWords)["en"];
type Setting = Exclude<keyof Words["fields"], "source" | "login">;

const secrets: readonly Setting[] = ["password", "private_key", "passphrase"];
const numbers: readonly Setting[] = [
  "port",
  "every_minutes",
  "min_age_seconds",
  "max_files",
  "max_seconds",
  "max_file_bytes",
];
const rare: readonly Setting[] = ["port", ...numbers.slice(1), "host_keys"];
const lists: readonly Setting[] = ["host_keys", "patterns"];

/** The settings of an SFTP folder by the step in which they are asked for; the last is the test. */
export const sftpSteps = [
  ["host", "port", "user", "password", "private_key", "passphrase"],
  ["folder", "patterns", "after", "move_to", ...numbers.slice(1)],
  ["host_keys"],
] as const satisfies readonly (readonly Setting[])[];

/** The settings of an address that files are sent to. */
export const pushSettings = ["patterns", "max_file_bytes"] as const satisfies readonly Setting[];

/** How the stored settings sign in. */
export const loginOf = (settings: Source["settings"] | null) =>
  settings?.private_key === undefined ? "password" : "private_key";

/** Fields of settings, with the names that the server uses in its refusals. */
export function settingFields(
  settings: readonly Setting[],
  before: Source["settings"] | null,
  words: Words,
  stays: string,
): readonly StepField[] {
  return settings.map((setting): StepField => {
    const isHidden = isSecret(setting);
    const value = isHidden ? undefined : before?.[setting];
    const isKept = isHidden && before?.[setting] !== undefined;
    const hint = isKept ? stays : (words.hints as Partial<Record<Setting, string>>)[setting];
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
      isRequired: ["host", "user", "move_to"].includes(setting) || (isHidden && setting !== "passphrase" && !isKept),
      isRare: rare.includes(setting),
      isShown: (values) => isShown(setting, values),
    };
  });
}

/** A password or a key, as was chosen; a folder to move to only where files are moved. */
function isShown(setting: Setting, values: FormValues): boolean {
  if (setting === "move_to") return values["settings.after"] === "move";
  if (setting === "passphrase") return values.login === "private_key";
  return (setting !== "password" && setting !== "private_key") || values.login === setting;
}

function kindOf(setting: Setting): NonNullable<StepField["kind"]> {
  if (setting === "after") return "choice";
  if (setting === "private_key" || lists.includes(setting)) return "lines";
  if (isSecret(setting)) return "secret";
  return numbers.includes(setting) ? "number" : "text";
}

/** The settings in a form. Empty fields are left to the server; an empty secret stays as it is. */
export function settingsOf(kind: SourceKind, values: FormValues): Record<string, unknown> {
  const given = Object.entries(values).flatMap(([name, typed]): [string, unknown][] => {
    const setting = name.slice("settings.".length) as Setting;
    const text = typed.trim();
    if (!name.startsWith("settings.") || text === "") return [];
    if (lists.includes(setting)) return [[setting, linesOf(text)]];
    return [[setting, numbers.includes(setting) ? Number(text) : text]];
  });
  return { kind, ...Object.fromEntries(given) };
}

export function isSecret(setting: string): boolean {
  return (secrets as readonly string[]).includes(setting);
}

/** The settings in a form that can be sent again: omitted secrets stay as they are. */
export function withoutSecrets(settings: Source["settings"]): Source["settings"] {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !isSecret(name)));
}
