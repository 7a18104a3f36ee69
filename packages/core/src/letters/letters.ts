import { createHash } from "node:crypto";
import { type Connectors, nameOfConnector } from "../catalogue/connectors.js";
import { CoreError, type Fault, invalidAll, invalidValue } from "../errors.js";
import { checkInput, collectFaults, faultsOf, parseOrRefuse } from "../faults.js";
import type { TenantActor } from "../ports/actor.js";
import { clientsWithin, limitFaults } from "../ports/client-limit.js";
import type { Runtime } from "../ports/runtime.js";
import { clientRefOf } from "../schemas/client.js";
import type { CatalogueConnector } from "../schemas/connector.js";
import type { Uuid } from "../schemas/identifier.js";
import type { ContactInfo, FoundLetterView, LetterView } from "../schemas/letter.js";
import type { MailKind, MailState } from "../schemas/mail.js";
import { type Page, toPage } from "../schemas/paging.js";
import type { LimitsOf } from "../tenants/tenant-limits.js";
import { createDocumentSafe } from "./document-safe.js";
import {
  checkDocuments,
  type DocumentChecks,
  type ReceivedDocuments,
  refuseFaults,
  signedDocuments,
} from "./letter-documents.js";
import { discontinueLetter, insertLetter, letterIn } from "./letter-moves.js";
import {
  discontinueSchema,
  idempotencyKey as keySchema,
  letterSearchSchema,
  letterSubmissionSchema,
} from "./letter-requests.js";
import { letterQueryOf } from "./letter-search.js";
import type { DocumentFacts, LetterMove } from "./letter-store.js";
import { letterToDo, letterView, type ToDo } from "./letter-view.js";
import type { LetterStorage } from "./storage.js";

/** The operations on letters that a tenant's applications call (S2). `body` is the request body as sent; faults carry dotted paths. */
export interface Letters {
  /**
   * Submits a signed letter. With an idempotency key, a retry with the same body returns the first letter's id.
   * @param received documents that the adapter has already decoded; they take precedence over the body's text in these fields
   * @throws CoreError VALIDATION_ERROR with every fault, TOO_LARGE, IDEMPOTENCY_MISMATCH (same key, different body), UNAVAILABLE
   * when a document cannot be checked now, RATE_LIMITED beyond the tenant's `letters` or `document_bytes`
   */
  createSigned(
    actor: TenantActor,
    body: unknown,
    idempotencyKey: string | null,
    received?: ReceivedDocuments,
  ): Promise<{ letter_id: Uuid }>;
  /** @throws CoreError VALIDATION_ERROR */
  search(actor: TenantActor, body: unknown): Promise<Page<FoundLetterView>>;
  /** @throws CoreError NOT_FOUND with message `LetterNotFound` */
  show(actor: TenantActor, letterId: Uuid): Promise<OwnLetter>;
  /** @throws CoreError VALIDATION_ERROR, NOT_FOUND with message `LetterNotFound` */
  discontinue(actor: TenantActor, body: unknown): Promise<void>;
}

/** A letter as its own tenant sees it in full: what has happened, never who did it at the operator's, nor their notes. */
export interface OwnLetter extends LetterView {
  /** The custodian's name, or the connector's id if the catalogue does not have it. */
  readonly custodian: string;
  readonly contact_info: ContactInfo;
  /** When it entered its status; RFC 3339. */
  readonly status_since: string;
  /** Who has to act next. */
  readonly next_by: ToDo["by"];
  readonly documents: readonly DocumentFacts[];
  /** Oldest first, without what was withdrawn. */
  readonly mails: readonly { readonly kind: MailKind; readonly state: MailState; readonly at: string }[];
  /** Oldest first. */
  readonly history: readonly (Pick<LetterMove, "event" | "from" | "to"> & { readonly at: string })[];
}

const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;

export function createLetters(deps: {
  storage: LetterStorage;
  runtime: Runtime;
  /** How long the notice of an end waits, so that it can be withdrawn; 0 if omitted. */
  mailDelayMs?: number;
  connectors: Connectors;
  checks: DocumentChecks;
  /** If omitted, there are no limits. */
  limitsOf?: LimitsOf;
  /** The label that stands in for a missing reference of a client. */
  clientLabel?: string;
}): Letters {
  const { storage, runtime } = deps;
  const safe = createDocumentSafe(deps);

  return {
    async createSigned(actor, body, idempotencyKey, received = {}) {
      const submission = await check(actor, body, idempotencyKey, received);
      const letterId = runtime.newId();
      const now = runtime.clock();
      const documents = await safe.seal({ tenant_id: actor.tenant_id, letter_id: letterId }, submission.documents);
      const { connector_id, labels, contact_info, client_ref } = submission;
      const letter = {
        letter_id: letterId,
        connector_id,
        status: "Signed",
        labels,
        contact_info,
        client_ref: clientRefOf(client_ref, labels, deps.clientLabel),
        created_at: now,
      } as const;
      const kept = storage.inTenant(actor.tenant_id, async (stores) => {
        if (idempotencyKey !== null) {
          const record = {
            application_id: actor.application_id,
            key: idempotencyKey,
            request_hash: submission.hash,
            letter_id: letterId,
            expires_at: new Date(now.getTime() + IDEMPOTENCY_MS),
          };
          const claim = await stores.letters.claimKey(record, now);
          if (!claim.claimed) return earlier(claim.holder, submission.hash);
        }
        const labels = { event: "sign", action: "letter.submit" } as const;
        await insertLetter(stores, runtime, actor, letter, documents, labels, deps.limitsOf?.(actor.tenant_id));
        return { letter_id: letterId };
      });
      const isNew = await kept.then(
        ({ letter_id }) => letter_id === letterId,
        () => false,
      );
      // The letter was not created, or was a retry of an earlier one: release its documents, so that they do not count against the
      // tenant.
      if (!isNew) await safe.release(actor.tenant_id, documents).catch(() => undefined);
      return kept;
    },
    async search(actor, body) {
      const search = parseOrRefuse(letterSearchSchema, body);
      const query = letterQueryOf(search);
      const client_ref_in = clientsWithin(actor, query.client_ref_in);
      const { items, total } = await storage.letterFinder.search(actor.tenant_id, { ...query, client_ref_in });
      const views = items.map((letter) => ({ client_name: letter.client_name, ...letterView(letter) }));
      return toPage(views, total, search.page, search.page_size);
    },
    async show(actor, letterId) {
      const found = await storage.inTenant(actor.tenant_id, async (stores) => {
        return {
          letter: await letterIn(stores, letterId, actor),
          documents: await stores.letterDocuments.documents(letterId),
          mails: await stores.mails.ofLetter(letterId),
          history: await stores.letterMoves.history(letterId),
        };
      });
      const { letter, documents, mails, history } = found;
      return {
        ...letterView(letter),
        custodian: await nameOfConnector(deps.connectors, letter.connector_id, actor.tenant_id),
        contact_info: letter.contact_info,
        status_since: letter.status_since.toISOString(),
        next_by: letterToDo[letter.status].by,
        documents,
        mails: mails.flatMap(({ kind, state, created_at, settled_at }) =>
          state === "withdrawn" ? [] : [{ kind, state, at: (settled_at ?? created_at).toISOString() }],
        ),
        history: history.map(({ event, from, to, at }) => ({ event, from, to, at: at.toISOString() })),
      };
    },
    async discontinue(actor, body) {
      const { letter_id } = parseOrRefuse(discontinueSchema, body);
      await storage.inTenant(actor.tenant_id, async (stores) => {
        const letter = await letterIn(stores, letter_id, actor);
        await discontinueLetter(stores, runtime, actor, letter, { mail_delay_ms: deps.mailDelayMs });
      });
    },
  };

  /** Collects every fault of a submission, in its shape and its contents, before anything is stored. */
  async function check(actor: TenantActor, body: unknown, idempotencyKey: string | null, received: ReceivedDocuments) {
    const { tenant_id, trace_id } = actor;
    const parsed = checkInput(letterSubmissionSchema, body);
    const faults: Fault[] = parsed.success ? [] : faultsOf(parsed.error, body);
    if (idempotencyKey !== null)
      collectFaults(faults, () => parseOrRefuse(keySchema, idempotencyKey, "Idempotency-Key"));
    const given = (body !== null && typeof body === "object" ? body : {}) as Record<string, unknown>;
    const sound = (field: string) => typeof given[field] === "string" && !faults.some((fault) => fault.field === field);

    if (sound("connector_id"))
      faults.push(...connectorFaults(await deps.connectors.find(given.connector_id as string, tenant_id)));
    if (parsed.success) {
      const { client_ref, labels } = parsed.data;
      faults.push(...limitFaults(actor, clientRefOf(client_ref, labels ?? {}, deps.clientLabel), "client_ref"));
    }
    const textOf = (field: "data" | "annex") => (sound(field) ? (given[field] as string) : undefined);
    const texts = { data: textOf("data"), annex: textOf("annex") };
    const checked = await checkDocuments(texts, received, deps.checks, { whose: tenant_id, traceId: trace_id });
    refuseFaults(faults, checked, deps.checks.maxBytes);
    if (!parsed.success || !checked.data) throw invalidAll(faults);
    const { data, annex } = checked;
    const { connector_id, labels, contact_info, client_ref = null } = parsed.data;
    const kept = { connector_id, labels: labels ?? {}, contact_info: (contact_info ?? {}) as ContactInfo, client_ref };
    return { ...kept, documents: signedDocuments(checked), hash: hashOf(kept, data.sha256, annex?.sha256) };
  }
}

/** Returns whether a letter can be for a connector. */
export function takesLetters(connector: CatalogueConnector): boolean {
  return connectorFaults(connector).length === 0;
}

/**
 * Faults of a connector that a letter cannot be for: it is not in the catalogue, is not available, or has `letters: false`
 * (contract §11).
 */
export function connectorFaults(connector: CatalogueConnector | null): readonly Fault[] {
  const refused = (rule: string) => [invalidValue("connector_id", rule)];
  if (connector === null) return refused("must be the id of a connector of list-connectors");
  const { id, available, metadata } = connector;
  if (!available) return refused(`no letter can be for ${id}: the catalogue has it with available: false`);
  return metadata.letters === false ? refused(`${id} takes no letters: the catalogue has it with letters: false`) : [];
}

function earlier(holder: { request_hash: string; letter_id: Uuid }, hash: string): { letter_id: Uuid } {
  if (holder.request_hash === hash) return { letter_id: holder.letter_id };
  throw new CoreError("IDEMPOTENCY_MISMATCH", "this Idempotency-Key was used with another body", {
    details: [invalidValue("Idempotency-Key", "must not be used again with another body")],
  });
}

function hashOf(
  kept: { connector_id: string; labels: object; contact_info: object; client_ref: string | null },
  ...documents: readonly (string | undefined)[]
): string {
  const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const { connector_id, labels, contact_info, client_ref } = kept;
  const text = JSON.stringify([connector_id, sorted(labels), sorted(contact_info), client_ref, ...documents]);
  return createHash("sha256").update(text).digest("hex");
}
