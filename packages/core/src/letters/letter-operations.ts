import type { LetterEvent } from "@org/letter-lifecycle";
import { auditEntry } from "../audit-entry.js";
import { type Connectors, nameOfConnector } from "../catalogue/connectors.js";
import { CoreError, invalidAll, toCoreError } from "../errors.js";
import { parseOrRefuse } from "../faults.js";
import type { Actor, TenantActor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import { clientRefOf } from "../schemas/client.js";
import { parseUuid, type Uuid } from "../schemas/identifier.js";
import type { Labels } from "../schemas/labels.js";
import type { ContactInfo, DocumentKind } from "../schemas/letter.js";
import type { LimitsOf } from "../tenants/tenant-limits.js";
import { createDocumentSafe } from "./document-safe.js";
import { type ContactChange, correctContacts } from "./letter-contacts.js";
import { type LetterDetails, signedCopySchema } from "./letter-details.js";
import {
  checkDocuments,
  type DocumentChecks,
  detailsIn,
  hasDocuments,
  type LetterTemplate,
  type LetterText,
  type OpenedDocument,
  type ReceivedDocuments,
  refuseFaults,
  sealDetails,
  signedDocuments,
} from "./letter-documents.js";
import { requireDecidedMails } from "./letter-mail.js";
import {
  attachDocuments,
  connectLetter,
  discontinueLetter,
  insertLetter,
  letterIn,
  moveLetter,
  noteOnLetter,
  requireLetterCapacity,
  tenantOfLetter,
} from "./letter-moves.js";
import type { LetterRecord } from "./letter-store.js";
import { type UndoReport, undoMove } from "./letter-undo.js";
import {
  applicationsIn,
  authorizedBy,
  type OperatorLetter,
  type TenantLetter,
  tenantLetterOf,
  withEffects,
  withNames,
} from "./letter-view.js";
import { connectorFaults } from "./letters.js";
import {
  type BulkMove,
  checkText,
  type MoveOptions,
  type MoveOutcome,
  type MovePreview,
  type MovesToPreview,
  moveLetters,
  plannedMove,
  previewMoves,
  requireVersion,
  transitionRefused,
} from "./operator-moves.js";
import { answerRepeats } from "./repeated-moves.js";
import type { LetterStorage, LetterStores } from "./storage.js";

/**
 * The operator's operations on letters (contract §7, §8), including the letters that the service generates, which is the second
 * entry point of S2 §1. `operator` is who acts; the tenant is looked up from the letter. Every method throws NOT_FOUND with the
 * message `LetterNotFound`, and CONFLICT when the lifecycle table refuses the move or the letter was changed concurrently.
 */
export interface LetterOperations {
  show(letterId: Uuid): Promise<OperatorLetter>;
  /** Creates a letter in NewRequest for the tenant of `actor`. @throws CoreError VALIDATION_ERROR on `connector_id` */
  request(
    actor: TenantActor,
    request: {
      connector_id: string;
      labels: Labels;
      contact_info: ContactInfo;
      client_ref?: string | null | undefined;
    },
  ): Promise<OperatorLetter>;
  /** Stores the client's details: moves NewRequest → UsersDetail, or corrects them in UsersDetail. */
  collectDetails(operator: Actor, letterId: Uuid, details: LetterDetails, version?: number): Promise<OperatorLetter>;
  /**
   * Attaches the signed letter: SentToUser → Signed. `body` is the request body as sent.
   * @param received documents that the adapter has already decoded
   * @throws CoreError VALIDATION_ERROR with every fault, TOO_LARGE, UNAVAILABLE when a document cannot be checked now
   */
  attachSigned(operator: Actor, body: unknown, received?: ReceivedDocuments): Promise<OperatorLetter>;
  /** Makes the next move of the main line; CONFLICT if `to` is given and the move leads elsewhere. */
  advance(
    operator: Actor,
    letterId: Uuid,
    options: MoveOptions & { readonly to?: string | undefined },
  ): Promise<OperatorLetter>;
  /** Allowed in WaitingForData and Connected. */
  block(operator: Actor, letterId: Uuid, options?: MoveOptions): Promise<OperatorLetter>;
  /** Allowed in Blocked. */
  resolve(operator: Actor, letterId: Uuid, options?: MoveOptions): Promise<OperatorLetter>;
  /** Ends a letter that was never Connected. */
  cancel(operator: Actor, letterId: Uuid, options?: MoveOptions): Promise<OperatorLetter>;
  /**
   * Undoes the letter's last move together with its mail, which is still waiting. If the last change was such an undo already, nothing
   * changes.
   * @throws CoreError CONFLICT with a reason once the mail has left, or the letter was changed since
   */
  undo(operator: Actor, letterId: Uuid, options?: MoveOptions): Promise<OperatorLetter>;
  /** Moves several letters, each in its own transaction; a refusal is reported in that letter's outcome. Duplicate ids are moved once. */
  moveMany(operator: Actor, request: BulkMove): Promise<readonly MoveOutcome[]>;
  /** Returns what {@link LetterOperations.moveMany} would do to each letter in its current state, without changing anything. */
  previewMoves(request: MovesToPreview): Promise<readonly MovePreview[]>;
  /** Corrects the contacts of a letter, and mails it again if asked to. @throws CoreError VALIDATION_ERROR on `contact_info` */
  correctContacts(operator: Actor, letterId: Uuid, change: ContactChange): Promise<OperatorLetter>;
  /** Sets the observations, which the tenant can read; null clears them. */
  observe(operator: Actor, letterId: Uuid, observations: string | null, version?: number): Promise<OperatorLetter>;
  /** Returns a document as it was submitted or generated. The access is recorded in the audit trail. */
  document(operator: Actor, letterId: Uuid, kind: DocumentKind): Promise<OpenedDocument>;
}

/** Who makes the next move, for which tenant, and with what note. */
interface Advance {
  readonly operator: Actor;
  readonly tenant_id: string;
  readonly note: string | undefined;
}

export function createLetterOperations(deps: {
  readonly storage: LetterStorage;
  readonly runtime: Runtime;
  readonly connectors: Connectors;
  readonly checks: DocumentChecks;
  readonly template: LetterTemplate;
  /** Whether mail is configured; if not, affected letters say so. */
  readonly sendsMail: boolean;
  /** How long the mail of a move waits, so that the move can be undone; 0 if omitted. */
  readonly mailDelayMs?: number;
  /** Called when a move was undone. */
  readonly onUndo?: (report: UndoReport) => void;
  /** If omitted, there are no limits. */
  readonly limitsOf?: LimitsOf;
  /** The label that stands in for a missing reference of a client. */
  readonly clientLabel?: string;
  /** Looks up the names of a tenant's and the operators' applications by id. If omitted, applications have no names. */
  readonly namesOf?: (tenantId: string, applicationIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Called when one letter of a bulk operation fails with an unexpected error rather than a refusal. */
  readonly onDefect?: (error: unknown, letterId: Uuid) => void;
}): LetterOperations {
  const { storage, runtime } = deps;
  const { vault } = runtime;
  const safe = createDocumentSafe(deps);
  const onDefect = deps.onDefect ?? (() => undefined);

  const operations: LetterOperations = {
    show: (letterId) => onLetter(letterId, async (_stores, letter) => letter),

    async request(actor, request) {
      const faults = connectorFaults(await deps.connectors.find(request.connector_id, actor.tenant_id));
      if (faults.length > 0) throw invalidAll(faults);
      const letter_id = runtime.newId();
      const client_ref = clientRefOf(request.client_ref, request.labels, deps.clientLabel);
      const asked = { ...request, client_ref, created_at: runtime.clock() };
      const beginning = { letter_id, ...asked, status: "NewRequest" } as const;
      const requested = await storage.inTenant(actor.tenant_id, async (stores) => {
        const labels = { event: "request", action: "letter.request" } as const;
        const limits = deps.limitsOf?.(actor.tenant_id);
        const letter = await insertLetter(stores, runtime, actor, beginning, [], labels, limits);
        return viewOf(stores, actor.tenant_id, letter);
      });
      return named(requested);
    },

    collectDetails: (operator, letterId, details, version) =>
      onLetter(letterId, async (stores, letter) => {
        requireVersion(letter, version);
        const { letter_id, status } = letter;
        await stores.letterDocuments.storeDetails(letter_id, await sealDetails(vault, letter_id, details));
        return status === "UsersDetail"
          ? noteOnLetter(stores, runtime, operator, letter, "correct_details")
          : moveLetter(stores, runtime, operator, letter, "collect_details");
      }),

    async attachSigned(operator, body, received = {}) {
      const { letter_id, data, annex } = parseOrRefuse(signedCopySchema, body);
      const texts = { data, annex: annex ?? undefined };
      const sender = { whose: operator.application_id, traceId: operator.trace_id };
      const checked = await checkDocuments(texts, received, deps.checks, sender);
      refuseFaults([], checked, deps.checks.maxBytes);
      const tenant_id = await tenantOfLetter(storage.directory, letter_id);
      const documents = await safe.seal({ tenant_id, letter_id }, signedDocuments(checked));
      return onLetter(letter_id, async (stores, letter, tenantId) => {
        if (letter.status === "Signed" && (await hasDocuments(stores.letterDocuments, letter_id, documents)))
          return letter;
        requireDecidedMails(await stores.mails.ofLetter(letter_id));
        // Make the move first: of several concurrent requests only one gets past it.
        const moved = await moveLetter(stores, runtime, operator, letter, "sign");
        await attachDocuments(stores, moved, documents);
        const limits = deps.limitsOf?.(tenantId);
        if (limits) await requireLetterCapacity(stores.letters, { ...limits, letters: Number.POSITIVE_INFINITY });
        return moved;
      });
    },

    async advance(operator, letterId, { to, note, version }) {
      checkText("note", note);
      const tenant_id = await tenantOfLetter(storage.directory, letterId);
      const by = { operator, tenant_id, note };
      const first = await inTenant(tenant_id, async (stores) => {
        const letter = await letterIn(stores, letterId);
        requireVersion(letter, version);
        const { event } = plannedMove(letter, "advance", to);
        if (event === null) return { still: null, moved: await viewOf(stores, tenant_id, letter) };
        requireDecidedMails(await stores.mails.ofLetter(letterId));
        if (event === "generate") {
          const details = await detailsIn(stores, vault, letterId);
          return { still: event, letter, details, authorized: authorizedBy(await stores.profile.find()) };
        }
        if (event === "connect") return { still: event, letter };
        return { still: null, moved: await step(by, stores, letter, event) };
      });
      switch (first.still) {
        case "generate":
          return generate(by, first);
        case "connect":
          return connect(by, first.letter);
        default:
          return named(first.moved);
      }
    },

    block: (operator, letterId, options) => move(operator, letterId, "block", options),
    resolve: (operator, letterId, options) => move(operator, letterId, "resolve", options),

    cancel: (operator, letterId, { note, version } = {}) =>
      onLetter(letterId, async (stores, letter) => {
        checkText("note", note);
        requireVersion(letter, version);
        if (plannedMove(letter, "cancel").event === null) return letter;
        requireDecidedMails(await stores.mails.ofLetter(letterId));
        return discontinueLetter(stores, runtime, operator, letter, { note });
      }),

    async undo(operator, letterId, options = {}) {
      checkText("note", options.note);
      let report: UndoReport | null = null;
      const undone = await onLetter(letterId, async (stores, _letter, tenant_id) => {
        const { letter, mail } = await undoMove(stores, runtime, operator, letterId, options);
        report = mail && { tenant_id, letter_id: letterId, mail_id: mail.mail_id, kind: mail.kind };
        return letter;
      });
      if (report) deps.onUndo?.(report);
      return undone;
    },

    moveMany: (operator, { letter_ids, move, to, note, versions }) =>
      moveLetters(
        letter_ids,
        (id) => {
          const options = { note, version: versions?.[id] };
          return move === "advance"
            ? moves.advance(operator, id, { ...options, to })
            : move === "undo"
              ? operations.undo(operator, id, options)
              : moves[move](operator, id, options);
        },
        onDefect,
      ),

    previewMoves: ({ letter_ids, move, to }) =>
      previewMoves(
        letter_ids,
        async (id) => {
          const tenantId = await tenantOfLetter(storage.directory, id);
          return storage.inTenant(tenantId, async (stores) => withEffects(stores, vault, await letterIn(stores, id)));
        },
        (letter) => plannedMove(letter, move, to),
        onDefect,
      ),

    correctContacts: (operator, letterId, change) =>
      onLetter(letterId, (stores, letter) =>
        correctContacts(stores, runtime, operator, letter, change, deps.mailDelayMs),
      ),

    observe: (operator, letterId, observations, version) =>
      onLetter(letterId, async (stores, letter) => {
        requireVersion(letter, version);
        checkText("observations", observations);
        return noteOnLetter(stores, runtime, operator, letter, "observe", { observations });
      }),

    async document(operator, letter_id, kind) {
      const tenantId = await tenantOfLetter(storage.directory, letter_id);
      const found = await storage.inTenant(tenantId, async ({ letterDocuments, audit }) => {
        const document = await letterDocuments.document(letter_id, kind);
        if (document)
          await audit.append(auditEntry(runtime, operator, "letter.document", "letter", letter_id, { kind }));
        return document;
      });
      if (!found) throw new CoreError("NOT_FOUND", "DocumentNotFound");
      const { sha256, size } = found;
      return { letter_id, kind, sha256, size, bytes: await safe.open(letter_id, found) };
    },
  };
  const moves = answerRepeats(operations, operations.show);
  return { ...operations, ...moves };

  /** Makes a move that needs nothing from outside the storage, in the transaction that read the letter. */
  async function step(
    { operator, tenant_id, note }: Advance,
    stores: LetterStores,
    letter: LetterRecord,
    event: LetterEvent,
  ) {
    const change =
      event === "send_to_user" ? { client_email: (await detailsIn(stores, vault, letter.letter_id)).email } : {};
    const options = { note, mail_delay_ms: deps.mailDelayMs, ...change };
    const moved = await moveLetter(stores, runtime, operator, letter, event, options);
    return viewOf(stores, tenant_id, moved);
  }

  /**
   * Typesets the letter and stores it. Typesetting takes a while, so no transaction is open meanwhile; the move is refused if the
   * letter has changed since it was read.
   */
  async function generate(
    { operator, tenant_id, note }: Advance,
    { letter, details, authorized }: { letter: LetterRecord } & Pick<LetterText, "details" | "authorized">,
  ) {
    const { letter_id, connector_id } = letter;
    const bank = await bankOf(letter);
    const bytes = await deps.template({ letter_id, connector_id, bank, authorized, details, date: runtime.clock() });
    const documents = await safe.seal({ tenant_id, letter_id }, [{ kind: "generated", bytes, signature: "none" }]);
    const generated = await inTenant(tenant_id, async (stores) => {
      const moved = await moveLetter(stores, runtime, operator, letter, "generate", { note });
      await attachDocuments(stores, moved, documents);
      return viewOf(stores, tenant_id, moved);
    });
    return named(generated);
  }

  /** Creates the connection to the letter's bank. The move is refused if the letter has changed since it was read. */
  async function connect({ operator, tenant_id, note }: Advance, letter: LetterRecord) {
    const bank = await bankOf(letter);
    const connected = await inTenant(tenant_id, async (stores) => {
      const { connection_id } = await connectLetter(stores, runtime, bank, letter);
      const moved = await moveLetter(stores, runtime, operator, letter, "connect", { note, connection_id });
      return viewOf(stores, tenant_id, moved);
    });
    return named(connected);
  }

  async function tenantName(tenantId: string): Promise<string> {
    const id = parseUuid(tenantId);
    return (id && (await storage.tenants.find(id)))?.name ?? tenantId;
  }

  /** Returns the name of a letter's bank. Called outside transactions, because the catalogue may need a database connection of its own. */
  function bankOf({ connector_id }: Pick<LetterRecord, "connector_id">): Promise<string> {
    return nameOfConnector(deps.connectors, connector_id);
  }

  function move(operator: Actor, letterId: Uuid, event: "block" | "resolve", { note, version }: MoveOptions = {}) {
    return onLetter(letterId, async (stores, letter) => {
      checkText("note", note);
      requireVersion(letter, version);
      requireDecidedMails(await stores.mails.ofLetter(letterId));
      return moveLetter(stores, runtime, operator, letter, event, { note });
    });
  }

  /** Reads a letter, applies `work` to it and returns the result, all in one transaction of its tenant. */
  async function onLetter(
    letterId: Uuid,
    work: (stores: LetterStores, letter: LetterRecord, tenantId: string) => Promise<LetterRecord>,
  ): Promise<OperatorLetter> {
    const tenant_id = await tenantOfLetter(storage.directory, letterId);
    const worked = await inTenant(tenant_id, async (stores) => {
      const letter = await letterIn(stores, letterId);
      return viewOf(stores, tenant_id, await work(stores, letter, tenant_id));
    });
    return named(worked);
  }

  /**
   * Adds the names of everything a letter refers to. Called outside transactions, because the lookups may need database connections
   * of their own.
   */
  async function named(letter: TenantLetter): Promise<OperatorLetter> {
    const actors = applicationsIn(letter);
    try {
      return withNames(letter, {
        tenant: await tenantName(letter.tenant_id),
        custodian: await bankOf(letter),
        applications: actors.length === 0 ? undefined : await deps.namesOf?.(letter.tenant_id, actors),
      });
    } catch (error) {
      // The letter may just have been moved, so it is answered, with ids in place of names while the storage is unavailable.
      if (toCoreError(error) === null) throw error;
      return withNames(letter, { tenant: letter.tenant_id, custodian: letter.connector_id, applications: undefined });
    }
  }

  async function inTenant<T>(tenantId: string, work: (stores: LetterStores) => Promise<T>): Promise<T> {
    try {
      return await storage.inTenant(tenantId, work);
    } catch (error) {
      throw transitionRefused(error);
    }
  }

  function viewOf(stores: LetterStores, tenant_id: string, letter: LetterRecord): Promise<TenantLetter> {
    return tenantLetterOf(stores, { vault, sendsMail: deps.sendsMail, now: runtime.clock() }, tenant_id, letter);
  }
}
