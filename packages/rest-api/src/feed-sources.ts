import { type Actor, fileCauses, type ListOrder, type Uuid } from "@org/core";
import { z } from "zod";
import type { excerptSchema } from "./excerpt.js";
import { versionField } from "./versions.js";

const time = z.string();
const timeOrNull = z.string().nullable();

/** A source of custodians' files as operators see it. Times are RFC 3339. */
export const feedSourceSchema = z.object({
  source: z.string(),
  kind: z
    .enum(["sftp", "push", "folder"])
    .describe("folder: the drop folder, from the first file on that is held of it."),
  enabled: z.boolean(),
  failures: z.int().min(0).describe("Runs that failed in a row."),
  last_error: z.string().nullable().describe("Why the last run failed; null when it went well."),
  changed_at: time,
  due_at: timeOrNull.describe("When it is looked into next; null of one that files are sent to."),
  attempted_at: timeOrNull,
  succeeded_at: timeOrNull,
});
export const sourceDetailsSchema = feedSourceSchema.extend({
  version: versionField,
  settings: z.record(z.string(), z.unknown()).describe('As they were set, with "set" in the place of each secret.'),
});

export const sourceRouteSchema = z.object({
  route_id: z.string(),
  source: z.string(),
  when: z.record(z.string(), z.unknown()),
  to: z.record(z.string(), z.unknown()),
  created_at: time,
});

export const sourceTokenSchema = z.object({
  token_id: z.string(),
  source: z.string(),
  name: z.string(),
  created_at: time,
  expires_at: timeOrNull,
});

export const sourceFileStates = ["taken", "held", "dropped", "expired"] as const;

export const sourceFileSchema = z.object({
  file_id: z.string(),
  source: z.string(),
  name: z.string(),
  size: z.int().min(0),
  sha256: z.string(),
  state: z.enum(sourceFileStates),
  modified_at: timeOrNull.describe("As the custodian's server says; null of one that was sent."),
  came_at: time,
  settled_at: time,
});

const findingSchema = z.object({
  part: z.string().describe("The file, or the part of a container."),
  account: z.string().nullable().describe("Null of what cannot be read, or belongs to no account."),
  reason: z.string(),
  cause: z
    .enum(fileCauses)
    .describe(
      "format, mapping: a format or mapping that reads it is missing, or another one; key, valid_key, signature: of PGP; account: no rule or letter is for it; target: who it is for takes no files; internal: tried again by itself; content: the file is at fault.",
    ),
  proposals: z
    .array(z.object({ letter_id: z.string(), tenant_id: z.string(), why: z.string() }))
    .describe("Letters that it may be for. Nothing is routed by them."),
});

export const heldFileSchema = sourceFileSchema.extend({ held_until: time, findings: z.array(findingSchema) });

/** The beginning of a held file. */
export const heldTextSchema = z.object({
  file_name: z.string(),
  file: z.string().describe("Base64; of a file above 600,000 bytes the beginning, up to a whole line."),
  is_cut: z.boolean(),
  connector_ids: z.array(z.string()).describe("Whose file it may be."),
});

/** Result of a file's arrival. */
export const sourceArrivalSchema = z.object({
  outcome: z.enum(["taken", "held", "duplicate"]),
  file_id: z.string(),
  delivered: z.int().min(0).describe("Parts, and slices of parts by account, that letters or connections have now."),
  findings: z.array(findingSchema).describe("What is open about it."),
});

/** Result of one run of a source. */
export const sourceRunSchema = z.object({
  found: z.int().min(0),
  taken: z.int().min(0),
  held: z.int().min(0),
  duplicates: z.int().min(0).describe("That were here before."),
  waiting: z.int().min(0).describe("Left for a later run: too young, still written to, over a limit."),
  unfit: z.int().min(0).describe("Links, folders, names that cannot be a file's, files that are too large."),
  failed: z.int().min(0),
  reason: z.string().nullable(),
  isWhole: z.boolean().describe("False when the folder has more entries than a run looks at."),
});

export const sourceRetrySchema = z.object({ retried: z.int().min(0), taken: z.int().min(0) });

type Shown<S extends z.ZodType> = Promise<z.input<S>>;
type Listed<S extends z.ZodType> = Promise<readonly z.input<S>[]>;
type Target = { readonly letter_id: string } | { readonly connection_id: string };

/** Manages sources of custodians' files for operators. An unknown target is refused with CoreError NOT_FOUND. */
export interface FeedSources {
  list(): Listed<typeof feedSourceSchema>;
  show(source: string): Shown<typeof sourceDetailsSchema>;
  set(
    operator: Actor,
    source: string,
    settings: Readonly<Record<string, unknown>>,
    isEnabled: boolean,
    version?: number,
  ): Shown<typeof sourceDetailsSchema>;
  /** @param settings not stored; left out: those of the source */
  test(
    source: string,
    settings?: Readonly<Record<string, unknown>>,
  ): Promise<{ ok: boolean; message: string; host_key: string | null; files: number | null }>;
  remove(operator: Actor, source: string): Promise<void>;
  run(source: string): Shown<typeof sourceRunSchema>;
  files(query: {
    source: string | null;
    state: (typeof sourceFileStates)[number] | null;
    order: ListOrder;
    page_token?: string | undefined;
    page_size: number;
  }): Promise<{ items: readonly z.input<typeof sourceFileSchema>[]; next_page_token: string | null }>;
  routes(source: string): Listed<typeof sourceRouteSchema>;
  addRoute(
    operator: Actor,
    source: string,
    route: { readonly when: Readonly<Record<string, unknown>>; readonly to: Readonly<Record<string, unknown>> },
  ): Promise<{ route: z.input<typeof sourceRouteSchema>; retried: number; taken: number }>;
  removeRoute(operator: Actor, routeId: Uuid): Promise<void>;
  held(query: {
    source: string | null;
    limit: number;
  }): Promise<{ items: readonly z.input<typeof heldFileSchema>[]; total: number }>;
  /** Returns a held file with an excerpt around its problem. The audit trail records the access. */
  showHeld(
    operator: Actor,
    fileId: Uuid,
  ): Promise<{ file: z.input<typeof heldFileSchema>; excerpt: z.input<typeof excerptSchema> }>;
  /** The beginning of a held file in Base64. The audit trail records the access. */
  readHeld(operator: Actor, fileId: Uuid): Shown<typeof heldTextSchema>;
  /** @param target for a file of the drop folder: the letter or connection to use instead of the one whose folder it was in */
  retryHeld(operator: Actor, fileId: Uuid, target: Target | null): Shown<typeof sourceArrivalSchema>;
  routeHeld(
    operator: Actor,
    fileId: Uuid,
    target: Target,
    account: string | null,
  ): Promise<{ rules: number; retried: number; taken: number }>;
  dropHeld(operator: Actor, fileId: Uuid): Promise<void>;
  createToken(
    operator: Actor,
    source: string,
    token: { readonly name: string; readonly days: number | null },
  ): Promise<{ source_token: z.input<typeof sourceTokenSchema>; token: string }>;
  tokens(source: string): Listed<typeof sourceTokenSchema>;
  endToken(operator: Actor, tokenId: Uuid): Promise<void>;
}
