import { createHash } from "node:crypto";
import {
  type Actor,
  type AuditEntry,
  type AuditedAction,
  auditEntry,
  CoreError,
  conflict,
  ifVersion,
  invalid,
  invalidValue,
  parseOrRefuse,
  type Runtime,
  type Uuid,
  versionConflict,
} from "@org/core";
import { excerptOf, placeIn } from "@org/data-feeds";
import type { FeedLack } from "@org/provider-kit";
import { createFileList } from "./file-list.js";
import { openFindings, openHeld } from "./held-findings.js";
import type { Arrival, Intake, IntakeDeps } from "./intake.js";
import { DROP_FOLDER, type FileRecord, type HeldFile, type SourceRecord } from "./ports/source-store.js";
import { type OpenRemoteFolder, RemoteError } from "./remote-folder.js";
import { type RouteTarget, routeSchema } from "./routing.js";
import {
  type SourceSettings,
  sourceContext,
  sourceName,
  sourceSettingsSchema,
  storedSettingsSchema,
} from "./source-settings.js";
import {
  findingsView,
  heldView,
  routeView,
  sourceDetails,
  sourceVersion,
  sourceView,
  tokenView,
} from "./source-views.js";

type Deps = Pick<IntakeDeps, "stores"> & {
  readonly runtime: IntakeDeps["runtime"] & Pick<Runtime, "mac">;
  readonly intake: Intake;
  readonly open: OpenRemoteFolder;
  readonly newSecret: () => string;
  /** The connectors that a held file may be of; left out: none is known. */
  readonly connectorsOf?: (file: Pick<FileRecord, "source" | "name">) => Promise<readonly string[]>;
  /** Writes an audit entry for an operation that changes nothing. */
  readonly record: (entry: AuditEntry) => Promise<void>;
};

/** The most held files that one call retries, and for how long it starts new retries. The schedule takes the others, which are due. */
const MAX_RETRIES = 200;
const RETRY_MS = 20_000;
/** The most bytes of a held file that are read to make a mapping. */
const MAX_READ_BYTES = 600_000;
/** The most rules of one source: all of them are checked for each account of a file. */
const MAX_RULES = 1_000;
/** The time limit for testing a server. */
const TEST_MS = 40_000;

/** Sources as operators manage them. Every function throws CoreError NOT_FOUND for an unknown source, rule, token or file. */
export type SourceOperations = ReturnType<typeof createSourceOperations>;

export function createSourceOperations({ stores, runtime, intake, open, newSecret, record, connectorsOf }: Deps) {
  const { sources, routes, tokens, files } = stores;
  const { clock, vault } = runtime;
  const entryOf = (operator: Actor, action: AuditedAction, source: string, facts: AuditEntry["facts"] = {}) =>
    auditEntry(runtime, operator, action, "source", source, facts);

  return {
    /** Sorted by name. */
    list: async () => (await sources.list()).map(sourceView),
    show: async (name: string) => {
      const record = await find(name);
      return sourceDetails(record, await openSettings(vault, record));
    },
    /**
     * Replaces the settings of a source. Omitted secrets are kept as long as host, port and user stay the same, so that a password is never sent to
     * another server.
     * @param version the version that the caller has seen, 0 for a new source
     * @throws CoreError VALIDATION_ERROR, CONFLICT if the source has changed since
     */
    async set(
      operator: Actor,
      name: string,
      given: Readonly<Record<string, unknown>>,
      isEnabled: boolean,
      version?: number,
    ) {
      parseOrRefuse(sourceName, name, "source");
      if (name === DROP_FOLDER)
        throw invalid(invalidValue("source", "is the drop folder, which DROP_DIR of the server sets"));
      const before = await sources.find(name);
      const precondition = ifVersion(version, sourceVersion);
      // A version conflict is reported first: the stored settings may even be of another kind.
      if (precondition?.(before) === false) throw versionConflict("source", version);
      const settings = await wholeSettings(before, given);
      if (before !== null && before.kind !== settings.kind)
        throw invalid(invalidValue("settings.kind", `is ${before.kind} and stays it; make another source`));
      const now = clock();
      const record = {
        source: name,
        kind: settings.kind,
        is_enabled: isEnabled,
        changed_at: now,
        sealed_settings: await vault.seal(JSON.stringify(settings), sourceContext(name)),
        due_at: settings.kind === "sftp" ? now : null,
      };
      const entry = entryOf(operator, "source.set", name, { kind: settings.kind, enabled: isEnabled });
      if (!(await sources.keep(record, entry, precondition))) throw versionConflict("source", version);
      return sourceDetails(await find(name), settings);
    },
    /**
     * Connects, logs in and lists the folder, without fetching anything: with the stored settings, or with given ones, which are not stored and whose
     * omitted secrets are those of `set`.
     */
    async test(name: string, given?: Readonly<Record<string, unknown>>) {
      const settings = given
        ? await wholeSettings(await sources.find(name), given)
        : await openSettings(vault, await find(name));
      if (settings.kind !== "sftp")
        return { ok: true, message: "files are sent to it; nothing is connected to", host_key: null, files: null };
      try {
        const folder = await open(settings, AbortSignal.timeout(TEST_MS));
        try {
          const { files: found } = await folder.list(20_000);
          const [first = null] = settings.host_keys;
          return { ok: true, message: `${found.length} entries in the folder`, host_key: first, files: found.length };
        } finally {
          folder.close();
        }
      } catch (error) {
        if (!(error instanceof RemoteError)) throw error;
        return { ok: false, message: error.message, host_key: error.host_key, files: null };
      }
    },
    /** @throws CoreError CONFLICT while it has held files */
    async remove(operator: Actor, name: string): Promise<void> {
      const removed = await sources.remove(name, entryOf(operator, "source.remove", name));
      if (removed === "unknown") throw unknownSource();
      if (removed === "holds_files")
        throw conflict("files_held", "files of this source are held: route, retry or drop them first");
    },
    files: createFileList(files, runtime.mac),

    /** Oldest first. */
    routes: async (name: string) => {
      await find(name);
      return (await routes.list(name)).map(routeView);
    },
    /**
     * Adds a rule and retries the held files of the source: at most {@link MAX_RETRIES} now, the others soon. @throws CoreError RATE_LIMITED beyond
     * {@link MAX_RULES}
     */
    async addRoute(operator: Actor, name: string, route: { readonly when: object; readonly to: object }) {
      await find(name);
      await requireRoom(name, 1);
      const added = await storeRoute(operator, name, route);
      return { route: routeView(added), ...(await retryAll(name)) };
    },
    async removeRoute(operator: Actor, routeId: Uuid): Promise<void> {
      if (!(await routes.remove(routeId, entryOf(operator, "source.remove-route", routeId))))
        throw new CoreError("NOT_FOUND", "there is no rule with this id");
      // If two rules claimed an account, only one may be left.
      await files.expediteHeld(null, clock());
    },

    /** Oldest first, each with its findings. */
    async held(query: { source: string | null; limit: number }) {
      const found = await files.held(query);
      const items = await Promise.all(
        found.map(async (file) => heldView(file, await openFindings(vault, file, file.sealed_findings))),
      );
      return { items, total: (await files.heldTotals()).files };
    },
    /** A held file with an excerpt around the first place that its findings name. The audit trail records who looked. */
    async showHeld(operator: Actor, fileId: Uuid) {
      const held = await files.heldContent(fileId);
      if (!held) throw unknownFile();
      const { file, content } = held;
      const findings = await openFindings(vault, file, content.sealed_findings);
      // Line numbers of a part do not apply to its container.
      const told = findings.filter(({ part }) => part === file.name).map(({ reason }) => placeIn(reason));
      await record(entryOf(operator, "source.show-held", file.source, { file_id: fileId, sha256: file.sha256 }));
      const excerpt = await excerptOf(
        [await openHeld(vault, file, content)],
        told.find((place) => place !== null) ?? null,
      );
      const { sealed_findings, held_until } = content;
      return { file: heldView({ ...file, sealed_findings, held_until }, findings), excerpt };
    },
    /** The beginning of a held file, up to a whole line, to make a mapping from it. The audit trail records who looked. */
    async readHeld(operator: Actor, fileId: Uuid) {
      const held = await files.heldContent(fileId);
      if (!held) throw unknownFile();
      const { file, content } = held;
      const bytes = await openHeld(vault, file, content);
      await record(entryOf(operator, "source.show-held", file.source, { file_id: fileId, sha256: file.sha256 }));
      const isCut = bytes.byteLength > MAX_READ_BYTES;
      const end = isCut ? bytes.lastIndexOf(0x0a, MAX_READ_BYTES - 1) + 1 || MAX_READ_BYTES : bytes.byteLength;
      return {
        file_name: file.name.slice(file.name.lastIndexOf("/") + 1).slice(0, 255),
        file: Buffer.from(bytes.subarray(0, end)).toString("base64"),
        is_cut: isCut,
        connector_ids: [...((await connectorsOf?.(file)) ?? [])],
      };
    },
    retryHeld: async (operator: Actor, fileId: Uuid, target: RouteTarget | null) =>
      arrivalView(await intake.retry(fileId, { operator, target })),
    retryAll,
    /** Retries held files of any source that lack one of these: the oldest {@link MAX_RETRIES} now, the others soon. */
    async retryLacking(lacks: readonly FeedLack[]) {
      const { isWhole, ...count } = await retryEach(await heldFor(lacks));
      if (!isWhole || (await files.heldTotals()).files > MAX_RETRIES) await files.expediteHeld(null, clock());
      return count;
    },
    /** How many of the oldest {@link MAX_RETRIES} held files lack one of these. */
    countLacking: async (lacks: readonly FeedLack[]) => (await heldFor(lacks)).length,
    /**
     * Adds a rule for each open account of a held file, or for one of them, and retries all held files of the source. @throws CoreError
     * VALIDATION_ERROR if the file needs no rule, RATE_LIMITED beyond {@link MAX_RULES}
     */
    async routeHeld(operator: Actor, fileId: Uuid, target: RouteTarget, account: string | null) {
      const held = await files.heldContent(fileId);
      if (!held) throw unknownFile();
      const findings = await openFindings(vault, held.file, held.content.sealed_findings);
      const open = [...new Set(findings.flatMap((finding) => finding.account ?? []))];
      const wanted = account === null ? open : open.filter((each) => each === account);
      if (wanted.length === 0)
        throw invalid(invalidValue("account", "is no account that is open in this file; add a rule by sender or name"));
      await requireRoom(held.file.source, wanted.length);
      for (const each of wanted) await storeRoute(operator, held.file.source, { when: { account: each }, to: target });
      return { rules: wanted.length, ...(await retryAll(held.file.source)) };
    },
    async dropHeld(operator: Actor, fileId: Uuid): Promise<void> {
      const held = await files.heldContent(fileId);
      if (!held) throw unknownFile();
      const { source, sha256 } = held.file;
      if (
        !(await files.drop(fileId, clock(), entryOf(operator, "source.drop-held", source, { file_id: fileId, sha256 })))
      )
        throw unknownFile();
    },

    /** The token is shown only in this answer. */
    async createToken(operator: Actor, name: string, { name: tokenName, days }: { name: string; days: number | null }) {
      if ((await find(name)).kind !== "push")
        throw conflict("source_fetches", "this source fetches files; make one of kind push for those that are sent");
      const token = `${TOKEN_PREFIX}${newSecret()}`;
      const now = clock();
      const record = {
        token_id: runtime.newId(),
        source: name,
        name: tokenName,
        token_hash: hashOf(token),
        created_at: now,
        expires_at: days === null ? null : new Date(now.getTime() + days * 86_400_000),
      };
      const facts = { token_id: record.token_id };
      if (!(await tokens.add(record, entryOf(operator, "source.create-token", name, facts)))) throw unknownSource();
      return { source_token: tokenView(record), token };
    },
    tokens: async (name: string) => {
      await find(name);
      return (await tokens.list(name)).map(tokenView);
    },
    async endToken(operator: Actor, tokenId: Uuid): Promise<void> {
      if (!(await tokens.end(tokenId, entryOf(operator, "source.end-token", tokenId))))
        throw new CoreError("NOT_FOUND", "there is no token with this id");
    },
  };

  async function find(name: string): Promise<SourceRecord> {
    const found = await sources.find(name);
    if (!found) throw unknownSource();
    return found;
  }

  /** Settings as they were given, with the stored secrets that were left out. */
  async function wholeSettings(before: SourceRecord | null, given: Readonly<Record<string, unknown>>) {
    const kept = before === null ? {} : keptSecrets(await openSettings(vault, before), given);
    return parseOrRefuse(sourceSettingsSchema, { ...kept, ...given }, "settings");
  }

  async function requireRoom(source: string, rules: number): Promise<void> {
    if ((await routes.list(source)).length + rules > MAX_RULES)
      throw new CoreError(
        "RATE_LIMITED",
        `a source has ${MAX_RULES} rules at most: let one lead to a connector, whose letters name their accounts, or remove some`,
        { limit: { name: "feed_source_rules", value: MAX_RULES } },
      );
  }

  async function storeRoute(operator: Actor, source: string, route: { readonly when: object; readonly to: object }) {
    const record = { route_id: runtime.newId(), source, created_at: clock(), rule: parseOrRefuse(routeSchema, route) };
    if (!(await routes.add(record, entryOf(operator, "source.add-route", source, { route_id: record.route_id }))))
      throw unknownSource();
    return record;
  }

  async function heldFor(lacks: readonly FeedLack[]) {
    const held = await files.held({ source: null, limit: MAX_RETRIES });
    const found = await Promise.all(held.map((file) => openFindings(vault, file, file.sealed_findings)));
    return held.filter((_, index) => found[index]?.some(({ lack }) => lacks.some((each) => each === lack)));
  }

  async function retryAll(source: string) {
    const held = await files.held({ source, limit: MAX_RETRIES });
    const { isWhole, connections: _, ...count } = await retryEach(held);
    if (!isWhole || held.length === MAX_RETRIES) await files.expediteHeld([source], clock());
    return count;
  }

  /** @returns isWhole false if there was not enough time for all of them */
  async function retryEach(held: readonly HeldFile[]) {
    const until = clock().getTime() + RETRY_MS;
    const count = { retried: 0, taken: 0 };
    const connections = new Set<string>();
    const told = (isWhole: boolean) => ({
      ...count,
      isWhole,
      ...(connections.size > 0 && { connections: [...connections].slice(0, MAX_RETRIES) }),
    });
    for (const { file_id } of held) {
      if (count.retried > 0 && clock().getTime() > until) return told(false);
      count.retried += 1;
      const arrival = await retried(file_id);
      if (arrival?.outcome === "taken") count.taken += 1;
      for (const id of arrival?.connections ?? []) connections.add(id);
    }
    return told(true);
  }

  /** Null if the schedule or another operator was faster. */
  async function retried(fileId: Uuid): Promise<Arrival | null> {
    try {
      return await intake.retry(fileId);
    } catch (error) {
      if (error instanceof CoreError && error.code === "NOT_FOUND") return null;
      throw error;
    }
  }
}

/** The outcome of a file, for an answer. */
function arrivalView({ outcome, file: { file_id }, delivered, findings }: Arrival) {
  return { outcome, file_id, delivered, findings: findingsView(findings) };
}

/** Decrypts the settings of a source. */
export async function openSettings(
  vault: Deps["runtime"]["vault"],
  { source, sealed_settings }: Pick<SourceRecord, "source" | "sealed_settings">,
): Promise<SourceSettings> {
  return storedSettingsSchema.parse(JSON.parse(await vault.open(sealed_settings, sourceContext(source))));
}

/** The hash by which a token is stored and looked up. A token has 256 random bits and cannot be guessed from its hash. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The prefix of tokens, by which secret scanners recognise them. */
const TOKEN_PREFIX = "wcf_";

const secretNames = ["password", "private_key", "passphrase"] as const;

function keptSecrets(before: SourceSettings, given: Readonly<Record<string, unknown>>): Record<string, string> {
  if (before.kind !== "sftp" || secretNames.some((name) => given[name] !== undefined)) return {};
  const isSameServer = before.host === given.host && before.port === (given.port ?? 22) && before.user === given.user;
  if (!isSameServer) return {};
  return Object.fromEntries(
    secretNames.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name] as string]])),
  );
}

function unknownSource(): CoreError {
  return new CoreError("NOT_FOUND", "there is no source with this name");
}

function unknownFile(): CoreError {
  return new CoreError("NOT_FOUND", "no file with this id is held");
}
