import { useState } from "react";

/** The version that a form was opened with. */
export interface EditedVersion<There> {
  /** The version that the change is based on. */
  readonly version: number;
  readonly there: There;
  /** Whether somebody else has changed it since. */
  readonly isVersionConflict: boolean;
  /** The user has seen the current version and continues with it. */
  readonly look: () => void;
  /** Records the user's own change. */
  readonly keep: (version: number, there: There) => void;
}

/** Keeps the version that a form was opened with while the page shows the current one. */
export function useEditedVersion<There>(version: number, there: There): EditedVersion<There> {
  // After the user's own change the old version is shown until the refetch.
  const [seen, setSeen] = useState({ version, there, before: version });
  return {
    version: seen.version,
    there: seen.there,
    isVersionConflict: version !== seen.version && version !== seen.before,
    look: () => setSeen({ version, there, before: version }),
    keep: (made, its) => setSeen({ version: made, there: its, before: version }),
  };
}

/** Texts of fields by their names. */
type FieldTexts = Readonly<Record<string, string>>;

/** Text that the user edits, one or several fields by name. Values that the user left unchanged follow other people's changes. */
export function useTypedText<Typed extends string | FieldTexts>(version: number, now: Typed) {
  const [typed, type] = useState(now);
  const seen = useEditedVersion(version, now);
  const look = () => {
    type((before) => followed(before, seen.there, now));
    seen.look();
  };
  return { ...seen, look, typed, type };
}

function followed<Typed extends string | FieldTexts>(typed: Typed, seen: Typed, now: Typed): Typed {
  if (typeof typed === "string") return typed === seen ? now : typed;
  const [before, after] = [seen as FieldTexts, now as FieldTexts];
  const texts = Object.entries(typed).map(([name, text]) => [name, text === before[name] ? (after[name] ?? "") : text]);
  return Object.fromEntries(texts) as Typed;
}
