import { existsSync } from "node:fs";
import type { Command } from "commander";
import { z } from "zod";
import { failed, wrongUsage } from "../cli-error.js";
import { withJson, withServer } from "../command-options.js";
import { startProgress } from "../progress.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import { dataFolder, type ServerFlags } from "../settings.js";
import { envValue, type Shell } from "../shell.js";
import { table } from "../table.js";

type Flags = ServerFlags & { readonly json?: true };

const signingKeys = z.array(
  z.looseObject({
    kid: z.string(),
    algorithm: z.string(),
    state: z.string(),
    created_at: z.string(),
    signs_from: z.string().nullable(),
  }),
);
const encryptionKey = z.looseObject({
  key_id: z.string().nullable(),
  active: z.boolean(),
  available: z.boolean(),
  values: z.number(),
});
const serverKeys = z.array(
  z.looseObject({ name: z.string(), version: z.number(), active: z.boolean(), active_from: z.string().nullable() }),
);
const rotatedServer = z.object({ server_keys: serverKeys });
const rotated = z.object({ signing_keys: signingKeys });
const list = rotated.extend({ encryption_keys: z.array(encryptionKey), server_keys: serverKeys });
const unreadableValues = z.object({ place: z.string(), key_id: z.string().nullable(), values: z.number() });
const batch = z.object({
  rewrapped: z.number(),
  unreadable: z.array(unreadableValues),
  next_page_token: z.string().nullable(),
});

/** `keys generate|list|rotate|revoke|rewrap`. */
export function addKeyCommands(program: Command, shell: Shell): void {
  const keys = program
    .command("keys")
    .description("keys that sign tokens and keys that encrypt what is stored (operator)");

  withJson(keys.command("generate"))
    .description("make a first ENCRYPTION_KEYS for a new installation; writes nothing and needs no server")
    .option("--elsewhere", "it is for another installation than the one that this environment describes")
    .addHelpText("after", "\nAn installation that has keys already gets its next one by keys rotate --encryption.")
    .action((options: { json?: true; elsewhere?: true }) => generateEncryptionKeys(shell, options));

  withServer(keys.command("list"))
    .description(
      "list the keys, oldest signing key first: which one signs, and how many stored values are under each encryption key",
    )
    .action(async (options: Flags) => {
      const found = await listKeys(await connectToServer(shell, options, "operator"));
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      shell.print(signingKeyTable(found.signing_keys));
      shell.print(
        `\n${table(
          ["encryption key", "encrypts", "available", "values"],
          found.encryption_keys.map(({ key_id, active, available, values }) => [
            key_id ?? "(damaged)",
            active ? "yes" : "no",
            available ? "yes" : "MISSING",
            values,
          ]),
        )}`,
      );
      if (found.server_keys.length > 0) shell.print(`\n${serverKeyTable(found.server_keys)}`);
    });

  withServer(keys.command("rotate"))
    .description("make the next signing key sign; tokens stay good and no restart is needed")
    .option(
      "--server <name>",
      "make a new key of the server's own instead: secret-hash, mcp-session or webhook-signature",
    )
    .option("--encryption", "make a new encryption key instead, to be used after a restart; needs no server")
    .addHelpText(
      "after",
      "\n--encryption puts a new key first in DATA_DIR/encryption-keys. Where the environment sets ENCRYPTION_KEYS it changes\nnothing and shows a new entry to be put there. Then: restart, keys rewrap, keys list.",
    )
    .action(async (options: Flags & { encryption?: true; server?: string }) => {
      if (options.encryption && options.server !== undefined)
        throw wrongUsage("--encryption and --server exclude each other");
      if (options.encryption) return rotateEncryptionKey(shell, options);
      const server = await connectToServer(shell, options, "operator");
      if (options.server !== undefined) {
        const body = { name: options.server };
        const done = await server.call("/operator/v1/keys/rotate-server", body, rotatedServer);
        return shell.print(options.json ? JSON.stringify(done, null, 2) : serverKeyTable(done.server_keys));
      }
      const done = await server.call("/operator/v1/keys/rotate", {}, rotated);
      shell.print(options.json ? JSON.stringify(done, null, 2) : signingKeyTable(done.signing_keys));
    });

  withServer(keys.command("revoke"))
    .description(
      "withdraw a signing key at once: the tokens that it signed are refused within seconds, the next key signs",
    )
    .argument("<kid>", "id of the key, as keys list shows it")
    .addHelpText("after", "\nRefresh tokens stay good: clients get new access tokens by themselves.")
    .action(async (kid: string, options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const done = await server.call("/operator/v1/keys/revoke", { kid }, rotated);
      shell.print(options.json ? JSON.stringify(done, null, 2) : signingKeyTable(done.signing_keys));
    });

  withServer(keys.command("rewrap"), 120)
    .description("encrypt everything stored again under the first encryption key, while the server works")
    .addHelpText("after", "\nIt can be broken off at any time: the next run does what is left.")
    .action(async (options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const done = await rewrapAll(shell, server);
      if (options.json) shell.print(JSON.stringify(done, null, 2));
      else shell.print(`${done.rewrapped} values encrypted again, ${done.left} left under other keys`);
      if (done.unreadable.length > 0) throw failed(`cannot be opened: ${done.unreadable.map(inWords).join("; ")}`);
      if (done.left > 0)
        shell.note("Values were stored under an older key meanwhile: run it again when every server has restarted.");
    });
}

async function listKeys(server: ServerApi): Promise<z.infer<typeof list>> {
  return server.call("/operator/v1/keys/list", {}, list);
}

/** Counts values that are not encrypted under the active key. */
async function countOthers(server: ServerApi): Promise<number> {
  const { encryption_keys } = await listKeys(server);
  return encryption_keys.reduce((sum, { active, values }) => (active ? sum : sum + values), 0);
}

async function rewrapAll(shell: Shell, server: ServerApi) {
  const total = await countOthers(server);
  const progress = startProgress(shell, "encrypting", total, "values");
  const unreadable = new Map<string, z.infer<typeof unreadableValues>>();
  let rewrapped = 0;
  let page_token: string | null = null;
  try {
    do {
      const done: z.infer<typeof batch> = await server.call("/operator/v1/keys/rewrap", { page_token }, batch);
      rewrapped += done.rewrapped;
      for (const some of done.unreadable) {
        const name = `${some.place} ${some.key_id}`;
        unreadable.set(name, { ...some, values: some.values + (unreadable.get(name)?.values ?? 0) });
      }
      page_token = done.next_page_token;
      progress.update(rewrapped);
    } while (page_token !== null);
  } finally {
    progress.stop();
  }
  return { rewrapped, unreadable: [...unreadable.values()], left: await countOthers(server) };
}

async function generateEncryptionKeys(
  shell: Shell,
  { json, elsewhere }: { json?: true; elsewhere?: true },
): Promise<void> {
  const { encryptionKeysFile, firstEncryptionKey } = await import("@org/installation");
  const file = encryptionKeysFile({ dataDir: dataFolder(shell) });
  const present = envValue(shell, "ENCRYPTION_KEYS") !== undefined ? "ENCRYPTION_KEYS" : existsSync(file) ? file : null;
  if (present !== null && !elsewhere)
    throw failed(
      `there are keys already, in ${present}; what is stored under them cannot be read with others. keys rotate --encryption makes the next one; for another installation give --elsewhere`,
    );
  const value = firstEncryptionKey();
  shell.print(json ? JSON.stringify({ variable: "ENCRYPTION_KEYS", value }, null, 2) : `ENCRYPTION_KEYS=${value}`);
  shell.note(
    "Shown this once, and written nowhere. Put this line into the environment of every server of the new installation, and of\nmigrate, bootstrap and doctor. Keep a copy apart from the backups of the database: without it nothing in them can be read.",
  );
}

async function rotateEncryptionKey(shell: Shell, { json }: Flags): Promise<void> {
  const { configOf } = await import("../installation.js");
  const { addEncryptionKey, encryptionKeysFile, newEncryptionKey } = await import("@org/installation");
  const config = configOf(shell);
  if (config.encryptionKeys !== undefined) {
    const new_key = newEncryptionKey(config.encryptionKeys);
    shell.print(json ? JSON.stringify({ new_key }, null, 2) : new_key);
    shell.note(
      "Nothing has changed. Put this entry, shown this once, first in ENCRYPTION_KEYS, before those that are there, and restart.\nWith several servers put it last first, restart all, then move it to the front and restart all again: each must be able to\nread what the others write. Then: wealth-connect keys rewrap, and keys list, until nothing is under the old key.",
    );
    return;
  }
  const file = encryptionKeysFile(config);
  const key_ids = addEncryptionKeyTo(file, () => addEncryptionKey(config));
  shell.print(json ? JSON.stringify({ file, key_ids }, null, 2) : `${file}: ${key_ids.join(", ")}`);
  shell.note(
    `Next: back ${file} up, restart the server, run wealth-connect keys rewrap, and look at keys list.\nWhen nothing is under an old key, its entry may go; backups of before still need it.`,
  );
}

function addEncryptionKeyTo(file: string, add: () => readonly string[]): readonly string[] {
  try {
    return add();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    throw failed(`there is no ${file} yet: the server makes it at its first start`, error);
  }
}

function serverKeyTable(keys: z.infer<typeof serverKeys>): string {
  return table(
    ["server's key", "version", "active", "active_from"],
    keys.map(({ name, version, active, active_from }) => [name, version, active ? "yes" : "no", active_from]),
  );
}

function signingKeyTable(keys: z.infer<typeof signingKeys>): string {
  return table(
    ["signing key", "algorithm", "state", "created_at", "signs_from"],
    keys.map(({ kid, algorithm, state, created_at, signs_from }) => [kid, algorithm, state, created_at, signs_from]),
  );
}

function inWords({ place, key_id, values }: z.infer<typeof unreadableValues>): string {
  return `${values} in ${place} under ${key_id ?? "no key that can be told"}`;
}
