import { type Command, Option } from "commander";
import { z } from "zod";
import { failed, wrongUsage } from "../cli-error.js";
import { wholeNumber, withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { readInput, readSecret } from "../input.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, printable, table } from "../table.js";

interface Flags extends ServerFlags {
  readonly json?: true;
}

interface KeyFlags extends Flags {
  readonly connector?: string;
  readonly source?: string;
  readonly force?: true;
}

const key = z.looseObject({
  fingerprint: z.string(),
  kind: z.string(),
  connector_id: z.string().nullable(),
  source: z.string().nullable(),
  state: z.string(),
  user_ids: z.array(z.string()),
  algorithm: z.string(),
  expires_at: z.string().nullable(),
});
const keys = z.object({
  items: z.array(key),
  signing: z.array(
    z.looseObject({ connector_id: z.string().optional(), source: z.string().optional(), must_be_signed: z.boolean() }),
  ),
});
const oneKey = z.looseObject({ key });
const withTried = z.looseObject({ retried: z.number(), taken: z.number() });
const keyWithTried = withTried.extend({ key });
const exported = z.object({ key: key.extend({ public_key: z.string() }) });

/** Generating a pair of 4,096 bits, or retrying held files, takes longer than most requests. */
const LONG_SECONDS = 300;

/** `feed-keys list|generate|import|export|trust|require|expire|revoke|remove`: PGP keys of custodians' files. */
export function addFeedKeyCommands(program: Command, shell: Shell): void {
  const feedKeys = program
    .command("feed-keys")
    .description("PGP keys that open custodians' files and verify their signatures (operator)");
  const withSigner = (command: Command, seconds?: number) =>
    withServer(command, seconds)
      .option("--connector <id>", "the custodian's key for files of this connector")
      .option("--source <name>", "the custodian's key for files of this source");
  const withForce = (command: Command) =>
    withSigner(command).option("--force", "also where it is the last key that counts");

  withServer(feedKeys.command("list"))
    .description("list keys oldest first, and whose files have to be signed")
    .action(async (options: Flags) => {
      const found = await call("/list", {}, keys, options);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map(({ fingerprint, state, algorithm, expires_at, user_ids, ...each }) => [
        ...[fingerprint, whoseOf(each), state, algorithm, expires_at, user_ids[0]],
      ]);
      shell.print(table(["fingerprint", "whose", "state", "algorithm", "expires", "user id"], rows));
      for (const rule of found.signing.filter(({ must_be_signed }) => must_be_signed))
        shell.print(printable(`files of ${rule.connector_id ?? rule.source} have to be signed`));
    });

  withServer(feedKeys.command("generate"), LONG_SECONDS)
    .description("make a key pair that custodians encrypt for; feed-keys export prints its public half")
    .argument("<name>", "whose key it is, as custodians see it")
    .option("--email <address>", "in the key's user id")
    .addOption(
      new Option("--algorithm <algorithm>", "rsa4096 for custodians whose programs know no elliptic curves")
        .choices(["curve25519", "rsa4096"])
        .default("curve25519"),
    )
    .option("--days <days>", "after how many days it expires; 0 = never", wholeNumber(0, 7_300), 730)
    .action(async (name: string, options: Flags & { email?: string; algorithm: string; days: number }) => {
      const { email, algorithm, days } = options;
      printKey(await call("/generate", { name, email, algorithm, days }, oneKey, options), options);
    });

  withServer(feedKeys.command("import"), LONG_SECONDS)
    .description("take a private key that exists, and try what is held for want of it again")
    .argument("<file>", "in ASCII armour, as gpg --export-secret-keys --armor writes it")
    .option("--passphrase-stdin", "read the passphrase of the key from standard input; it is stored nowhere")
    .action(async (file: string, options: Flags & { passphraseStdin?: true }) => {
      if (file === "-" && options.passphraseStdin) throw wrongUsage("standard input can be only one of the two");
      const private_key = await readArmouredKey(file);
      const passphrase = options.passphraseStdin ? await readSecret(shell, "-") : undefined;
      printKey(await call("/import", { private_key, passphrase }, keyWithTried, options), options);
    });

  withSigner(feedKeys.command("export"))
    .description("print the public half of a key in ASCII armour, for custodians to encrypt for")
    .argument("<fingerprint>")
    .action(async (fingerprint: string, options: KeyFlags) => {
      const found = await call("/show", { fingerprint, ...signerOf(options) }, exported, options);
      const lines = found.key.public_key.trimEnd().split(/\r?\n/).map(printable).join("\n");
      shell.print(options.json ? JSON.stringify(found, null, 2) : lines);
    });

  withSigner(feedKeys.command("trust"), LONG_SECONDS)
    .description("trust a custodian's public key, and try what is held for want of it again")
    .argument("<file>", "in ASCII armour; - reads standard input")
    .action(async (file: string, options: KeyFlags) => {
      const body = { public_key: await readArmouredKey(file), ...requireSigner(options) };
      printKey(await call("/trust", body, keyWithTried, options), options);
    });

  withSigner(feedKeys.command("require"), LONG_SECONDS)
    .description("take only signed files of a connector or source")
    .option("--off", "take unsigned ones again, with a warning")
    .action(async (options: KeyFlags & { off?: true }) => {
      const body = { ...requireSigner(options), must_be_signed: options.off === undefined };
      const answer = await call("/require", body, withTried, options);
      if (options.json) return shell.print(JSON.stringify(answer, null, 2));
      shell.print(options.off ? "unsigned files are taken" : "only signed files are taken");
      noteTried(answer);
    });

  withForce(feedKeys.command("expire"))
    .description("let a key count until a moment, now by default; export an own key again afterwards")
    .argument("<fingerprint>")
    .option("--at <moment>", "a date or datetime of ISO 8601")
    .action(async (fingerprint: string, options: KeyFlags & { at?: string }) => {
      const body = { ...targetOf(fingerprint, options), at: options.at };
      printKey(await call("/expire", body, oneKey, options), options);
    });

  withForce(feedKeys.command("revoke"))
    .description("take a key back for good: it opens and verifies nothing any more; export an own key again afterwards")
    .argument("<fingerprint>")
    .option("--yes", "do it without asking")
    .action(async (fingerprint: string, options: KeyFlags & { yes?: true }) => {
      await confirm(shell, options.yes, () => `This revokes the key ${fingerprint} for good.`);
      printKey(await call("/revoke", targetOf(fingerprint, options), oneKey, options), options);
    });

  withForce(feedKeys.command("remove"))
    .description("delete a key; what is encrypted for an own one can be opened no more")
    .argument("<fingerprint>")
    .option("--yes", "do it without asking")
    .action(async (fingerprint: string, options: KeyFlags & { yes?: true }) => {
      await confirm(shell, options.yes, () => `This deletes the key ${fingerprint}.`);
      const answer = await call("/remove", targetOf(fingerprint, options), z.looseObject({}), options);
      shell.print(options.json ? JSON.stringify(answer) : "removed");
    });

  async function call<S extends z.ZodType>(path: string, body: object, schema: S, flags: Flags): Promise<z.output<S>> {
    const server = await connectToServer(shell, flags, "operator");
    return server.call(`/operator/v1/feed-keys${path}`, body, schema);
  }

  function printKey(answer: z.infer<typeof oneKey>, options: Flags): void {
    if (options.json) {
      shell.print(JSON.stringify(answer, null, 2));
      return;
    }
    const { fingerprint, state, algorithm, expires_at, user_ids, ...each } = answer.key;
    shell.print(details({ fingerprint, whose: whoseOf(each), state, algorithm, expires_at, user_ids }));
    const tried = withTried.safeParse(answer);
    if (tried.success) noteTried(tried.data);
  }

  function noteTried({ retried, taken }: z.infer<typeof withTried>): void {
    if (retried > 0) shell.note(`of ${retried} files that waited for a key ${taken} were taken`);
  }

  /** Error messages leave out the file's text, which may be a secret. */
  async function readArmouredKey(file: string): Promise<string> {
    const text = (await readInput(shell, file)).toString("latin1");
    if (!text.includes("-----BEGIN PGP"))
      throw failed(`${file === "-" ? "standard input" : file} is no PGP key in ASCII armour (gpg --armor)`);
    return text;
  }
}

function whoseOf({ connector_id, source }: Pick<z.infer<typeof key>, "connector_id" | "source">): string {
  if (connector_id !== null) return `connector ${connector_id}`;
  return source === null ? "own" : `source ${source}`;
}

function signerOf({ connector, source }: KeyFlags): { connector_id?: string; source?: string } {
  if (connector !== undefined && source !== undefined) throw wrongUsage("give one of --connector and --source");
  return { ...(connector !== undefined && { connector_id: connector }), ...(source !== undefined && { source }) };
}

function requireSigner(options: KeyFlags) {
  if (options.connector === undefined && options.source === undefined) throw wrongUsage("give --connector or --source");
  return signerOf(options);
}

function targetOf(fingerprint: string, options: KeyFlags) {
  return { fingerprint, ...signerOf(options), force: options.force === true };
}
