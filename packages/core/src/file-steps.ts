/** Why a custodian's file was refused or is held, and what helps: the one decision about it, for the server and for the console's pages. */

/**
 * Causes as codes. `format`, `mapping`: a format or mapping that reads it is missing, or another one; `key`, `valid_key`, `signature`: of PGP;
 * `account`: no rule or letter is for it; `target`: who it is for takes no files; `internal`: tried again by itself; `content`: the file is at fault.
 */
export const fileCauses = [
  "format",
  "mapping",
  "key",
  "valid_key",
  "signature",
  "account",
  "target",
  "internal",
  "content",
] as const;
export type FileCause = (typeof fileCauses)[number];

/** The first step for each cause. */
export const stepOfCause = {
  format: "map_file",
  mapping: "map_file",
  key: "see_keys",
  valid_key: "see_keys",
  signature: "see_keys",
  account: "route_file",
  target: "retry_file",
  internal: "retry_file",
  content: "replace_file",
} as const satisfies Readonly<Record<FileCause, string>>;

/** A cause that the server names; one that is not known counts as a fault of the file. */
export function fileCauseOf(cause: string | null | undefined): FileCause {
  return fileCauses.find((each) => each === cause) ?? "content";
}
