import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "@org/installation";
import { z } from "zod";
import type { TokenAnswer } from "./oauth-client.js";
import { dataFolder, type ServerAccess } from "./settings.js";
import { envValue, type Shell } from "./shell.js";

/** Access tokens that a command stores for later ones, so that a hundred commands open one grant and not a hundred. */
export interface TokenCache {
  /** A stored token that is valid for a while yet; null if there is none. */
  find(access: ServerAccess): Promise<string | null>;
  /** Stores a token until shortly before it expires. If nothing can be written, the token is not stored. */
  keep(access: ServerAccess, answer: TokenAnswer): Promise<void>;
  /** Deletes a token that was refused, unless another process has replaced it. */
  forget(access: ServerAccess, token: string): Promise<void>;
}

/** A token with less time left is requested anew, because a request may wait, and clocks differ. */
const MIN_REMAINING_MS = 120_000;
/** Several times the life of a token: older files belong to applications and servers that are no longer used. */
const OLD_MS = 86_400_000;

const keptSchema = z.object({
  url: z.string(),
  client_id: z.string(),
  access_token: z.string(),
  /** RFC 3339. */
  expires_at: z.iso.datetime(),
});

/**
 * A file of mode 0600 for each address, client and secret, in `cli-tokens` beside the credentials file, or in the user's cache if there is no
 * such folder. Files are replaced atomically, so processes need not coordinate. Refresh tokens are not stored: two processes using the same one
 * would end its grant, and whoever has the secret needs none.
 */
export function tokenCache(shell: Shell): TokenCache {
  const folder = folderOf(shell);
  const fileOf = ({ url, client_id, client_secret }: ServerAccess) => {
    // Includes the secret: with another one the caller wants to know whether it is valid.
    const key = createHash("sha256")
      .update(JSON.stringify([url, client_id, client_secret]))
      .digest("hex");
    return folder === null ? null : join(folder, `${key.slice(0, 32)}.json`);
  };
  const read = async (access: ServerAccess) => {
    const file = fileOf(access);
    const kept = file === null ? null : await readPrivate(file);
    return kept?.url === access.url && kept.client_id === access.client_id ? kept : null;
  };

  return {
    async find(access) {
      const kept = await read(access);
      const isGood = kept !== null && Date.parse(kept.expires_at) - shell.clock().getTime() > MIN_REMAINING_MS;
      return isGood ? kept.access_token : null;
    },
    async keep(access, { access_token, expires_in }) {
      const file = fileOf(access);
      if (folder === null || file === null) return;
      const expires_at = new Date(shell.clock().getTime() + expires_in * 1000).toISOString();
      const { url, client_id } = access;
      const unfinished = join(folder, `${randomUUID()}.new`);
      try {
        makeFolder(folder);
        await removeOld(folder, shell.clock().getTime() - OLD_MS);
        const text = `${JSON.stringify({ url, client_id, access_token, expires_at })}\n`;
        await writeFile(unfinished, text, { mode: 0o600, flag: "wx" });
        await rename(unfinished, file);
      } catch {
        // The folder belongs to another user, or the disk is full: the command continues, and the next one requests a token again.
        await rm(unfinished, { force: true }).catch(() => undefined);
      }
    },
    async forget(access, token) {
      const file = fileOf(access);
      if (file === null || (await read(access))?.access_token !== token) return;
      await rm(file, { force: true }).catch(() => undefined);
    },
  };
}

/** Null if there is neither a server folder nor a home. */
function folderOf(shell: Shell): string | null {
  const data = dataFolder(shell);
  if (existsSync(data)) return join(data, "cli-tokens");
  const home = envValue(shell, "HOME");
  // The second is Windows', which has no HOME.
  const cache = envValue(shell, "XDG_CACHE_HOME") ?? envValue(shell, "LOCALAPPDATA") ?? (home && join(home, ".cache"));
  return cache === undefined ? null : join(cache, "wealth-connect");
}

/** Null for a file that is missing or damaged, or that other users could have written or read. */
async function readPrivate(file: string): Promise<z.infer<typeof keptSchema> | null> {
  try {
    const handle = await open(file, "r");
    try {
      const { mode } = await handle.stat();
      if (process.platform !== "win32" && (mode & 0o077) !== 0) return null;
      return keptSchema.safeParse(JSON.parse(await handle.readFile("utf8"))).data ?? null;
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

async function removeOld(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found && found.mtimeMs < before) await rm(file, { force: true });
  }
}
