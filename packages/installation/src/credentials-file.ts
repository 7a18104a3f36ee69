import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder } from "./make-folder.js";

const pair = z.object({ client_id: z.string(), client_secret: z.string() });
const credentialsSchema = z.object({
  url: z.string(),
  /** Address of the operator API, when it has a separate one. */
  operator_url: z.string().optional(),
  operator: pair,
  demo: pair.extend({ tenant: z.string() }).optional(),
  /** The link with which the first operator signs in to the console, once and until `expires_at`. */
  first_operator: z.object({ link: z.string(), expires_at: z.string() }).optional(),
});

/** What the server writes at its first start, for the person at the terminal and for `wealth-connect` (contract §1). */
export type InitialCredentials = z.infer<typeof credentialsSchema>;

/** The path of the credentials file. */
export function credentialsFile(dataDir: string): string {
  return join(dataDir, "credentials.json");
}

/** Writes the file with mode 0600; an existing one is renamed to `.old`. Returns its path. */
export function writeCredentials(dataDir: string, credentials: InitialCredentials): string {
  makeFolder(dataDir);
  const file = credentialsFile(dataDir);
  if (existsSync(file)) renameSync(file, `${file}.old`);
  writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}

/** Adds or replaces the first operator's link in an existing file. Null when there is no such file. */
export function storeInvitation(
  dataDir: string,
  { link, expires_at }: NonNullable<InitialCredentials["first_operator"]>,
): string | null {
  return changeCredentials(dataDir, (credentials) => ({ ...credentials, first_operator: { link, expires_at } }));
}

/**
 * Stores where the server is now in an existing file, because commands send the secrets in it only there, and moves the first operator's link to
 * that address. Returns the file if an address has changed, otherwise null.
 */
export function storeAddresses(
  dataDir: string,
  { url, operator_url }: Pick<InitialCredentials, "url" | "operator_url">,
): string | null {
  return changeCredentials(dataDir, ({ operator_url: formerOperatorUrl, ...credentials }) => {
    const former = credentials.url;
    if (url === former && operator_url === formerOperatorUrl) return null;
    const { first_operator: invitation } = credentials;
    const link = invitation?.link.startsWith(`${former}/`) ? url + invitation.link.slice(former.length) : undefined;
    return {
      ...credentials,
      url,
      ...(operator_url !== undefined && { operator_url }),
      ...(invitation && link !== undefined && { first_operator: { ...invitation, link } }),
    };
  });
}

/** Replaces the file atomically. Null when there is no such file, or when `change` returns null. */
function changeCredentials(
  dataDir: string,
  change: (credentials: InitialCredentials) => InitialCredentials | null,
): string | null {
  const file = credentialsFile(dataDir);
  const credentials = existsSync(file) ? parseCredentials(readFileSync(file, "utf8")) : null;
  const next = credentials && change(credentials);
  if (!next) return null;
  writeFileSync(`${file}.new`, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
  return file;
}

/** Parses the text of such a file; null when it is invalid. */
export function parseCredentials(text: string): InitialCredentials | null {
  try {
    return credentialsSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
