import { auditEntry } from "../audit-entry.js";
import { CoreError, conflict } from "../errors.js";
import { createPager } from "../pager.js";
import { createPendingWork } from "../pending-work.js";
import { type Actor, systemActor } from "../ports/actor.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import { retryWhileUnavailable, sleep, withRenewedLease } from "../retry.js";
import { parseUuid, type Uuid } from "../schemas/identifier.js";
import type { MailKind, MailSearch, MailState, MailView } from "../schemas/mail.js";
import type { TenantAccess } from "../tenants/tenant-access.js";
import { createDocumentSafe } from "./document-safe.js";
import { openDetails } from "./letter-documents.js";
import { isMailOf, mailEvent, mailView, messageOf, withdrawnAt } from "./letter-mail.js";
import { moveLetter } from "./letter-moves.js";
import type { LetterRecord } from "./letter-store.js";
import type { MailLease, MailRecord, MailSettlement, OwnedMail } from "./mail-store.js";
import type { MailMessage, MailOutcome, MailTransport } from "./mail-transport.js";
import type { LetterStorage, LetterStores } from "./storage.js";

/** The outcome of one attempt to send a mail, for logs and metrics. It contains no address. */
export interface MailReport {
  readonly tenant_id: string;
  readonly letter_id: string | null;
  readonly mail_id: string;
  readonly kind: MailKind | null;
  /** `postponed` = it will be attempted again; `superseded` = the letter moved on before the message was transmitted. */
  readonly outcome: "sent" | "postponed" | "failed" | "in_doubt" | "superseded";
  readonly milliseconds: number;
  readonly error: unknown;
}

/** Sends the mails that moves of letters have queued (contract §7). */
export interface MailDelivery {
  /** Leases at most `limit` due mails of tenants that are not disabled; the caller must {@link send} each. */
  claim(limit: number): Promise<readonly MailLease[]>;
  /** Makes one attempt to send a leased mail. Never throws. */
  send(lease: MailLease): Promise<void>;
  /** Waits at most `graceMs` for attempts in progress. The rest are cut off before their message is complete, and are due again. */
  close(graceMs: number): Promise<void>;
}

/**
 * Sends each mail at most once unless an operator retries it. Before the last part of a message is transmitted, that is recorded; a
 * mail with this record but no outcome becomes `in_doubt`. A mail that the server refused is attempted again, up to
 * {@link MAIL_ATTEMPTS} times.
 */
export function createMailDelivery(deps: {
  storage: LetterStorage;
  runtime: Runtime;
  access: Pick<TenantAccess, "disabled">;
  transport: MailTransport;
  bankOf: (connectorId: string) => Promise<string | null>;
  onMail?: (report: MailReport) => void;
  sleep?: Sleep;
}): MailDelivery {
  const { storage, runtime } = deps;
  const { clock } = runtime;
  const safe = createDocumentSafe(deps);
  const pause = deps.sleep ?? sleep;
  const underWay = createPendingWork(pause);
  const inTenant = <T>({ tenant_id }: MailLease, work: (stores: LetterStores) => Promise<T>) =>
    retryWhileUnavailable(
      (milliseconds) => pause(milliseconds, underWay.signal),
      () => storage.inTenant(tenant_id, work),
    );

  return {
    async claim(limit) {
      const now = clock();
      for (const mail of await storage.mailQueue.doubt(now, "the sender was cut off while the message was leaving"))
        report(mail, mail, "in_doubt", now, null);
      return storage.mailQueue.claim({
        lease: runtime.newId(),
        now,
        until: new Date(now.getTime() + MAIL_LEASE_MS),
        limit,
        except_tenants: [...(await deps.access.disabled())],
      });
    },
    send: (lease) => underWay.add(whileHeld(lease)),
    close: underWay.close,
  };

  /** What a killed sender leaves behind is picked up soon, and a slow mail server loses nothing. */
  function whileHeld(lease: MailLease): Promise<void> {
    const { tenant_id, mail_id } = lease;
    const renew = () =>
      storage.inTenant(tenant_id, ({ mails }) =>
        mails.renew(mail_id, lease.lease, new Date(clock().getTime() + MAIL_LEASE_MS)),
      );
    return withRenewedLease(MAIL_LEASE_MS, renew, () => attempt(lease));
  }

  async function attempt(lease: MailLease): Promise<void> {
    const started = clock();
    let mail: MailRecord | null = null;
    try {
      const prepared = await prepare(lease);
      if (prepared === null) return report(lease, null, "superseded", started, null);
      mail = prepared.mail;
      const outcome = speakable(await hand(lease, prepared.message), prepared.message.to);
      const state = outcome === null ? "superseded" : await settle(lease, mail, outcome);
      report(lease, mail, state, started, outcome && "reason" in outcome ? outcome.reason : null);
    } catch (error) {
      // The lease expires, and the recorded state decides what happens then.
      report(lease, mail, "postponed", started, error);
    }
  }

  /** Returns the mail with its text, or null if the letter has moved on. */
  async function prepare(lease: MailLease): Promise<{ mail: MailRecord; message: MailMessage } | null> {
    const found = await inTenant(lease, async ({ mails, letters, letterDocuments }) => {
      const mail = await mails.find(lease.mail_id);
      if (mail?.state !== "queued" || mail.lease !== lease.lease || mail.recipient === null) return null;
      const letter = await letters.find(mail.letter_id);
      if (!letter) return null;
      const kind = attachmentOf[mail.kind];
      const document = kind && (await letterDocuments.document(mail.letter_id, kind));
      const details = await letterDocuments.details(mail.letter_id);
      return { mail, recipient: mail.recipient, letter, document, details };
    });
    if (!found) return null;
    const { mail, recipient, letter, document, details } = found;
    if (attachmentOf[mail.kind] && !document) {
      await settle(lease, mail, { kind: "refused", permanent: true, reason: "the letter has no document to send" });
      return null;
    }
    const message = messageOf(mail.kind, {
      mail_id: mail.mail_id,
      to: recipient,
      letter_id: letter.letter_id,
      // A catalogue name may span lines, and in a mail the second line could pass for text of its own.
      bank: ((await deps.bankOf(letter.connector_id)) ?? letter.connector_id).replace(/[\s\p{Cc}]+/gu, " "),
      letter: document && (await safe.open(letter.letter_id, document)),
      language: details === null ? "en" : (await openDetails(runtime.vault, letter.letter_id, details)).language,
    });
    return { mail, message };
  }

  /** Returns null if the mail was withdrawn before the message was complete. */
  async function hand(lease: MailLease, message: MailMessage): Promise<MailOutcome | null> {
    let isOurs = true;
    const beforeLast = async () => {
      isOurs = await inTenant(lease, ({ mails }) => mails.handOver(lease.mail_id, lease.lease));
      return isOurs;
    };
    const signal = AbortSignal.any([underWay.signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
    const outcome = await deps.transport.send(message, beforeLast, signal);
    return isOurs ? outcome : null;
  }

  async function settle(lease: MailLease, mail: MailRecord, outcome: MailOutcome): Promise<MailReport["outcome"]> {
    const now = clock();
    const settlement = settlementOf(mail, outcome, now, underWay.signal.aborted);
    // Retry on CONFLICT: an operator may have moved the letter concurrently.
    for (let again = 3; ; again -= 1)
      try {
        return await inTenant(lease, async (stores) => {
          // Lock the letter before its mail, in the same order as moves do.
          const letter = await stores.letterMoves.lock(mail.letter_id);
          const stored = await stores.mails.find(mail.mail_id);
          const isEnd = settlement.state === "sent" && (await noteDelivery(stores, runtime, systemActor, mail, letter));
          const final = stored?.recipient === null ? withoutLetter(settlement, now) : forgetting(settlement, isEnd);
          if (!(await stores.mails.settle(lease.mail_id, lease.lease, final))) return "superseded";
          await stores.audit.append(
            auditEntry(runtime, systemActor, `mail.${final.state}`, "letter", mail.letter_id, {
              kind: mail.kind,
              mail_id: mail.mail_id,
            }),
          );
          if (final.state === "failed" || final.state === "in_doubt")
            await stores.events.append([mailEvent(final.state, { tenant_id: lease.tenant_id, ...mail })]);
          return outcomeOf[final.state];
        });
      } catch (error) {
        if (again === 0 || !(error instanceof CoreError) || error.code !== "CONFLICT") throw error;
      }
  }

  function report(
    { tenant_id, mail_id }: { tenant_id: string; mail_id: string },
    mail: Pick<MailRecord, "letter_id" | "kind"> | null,
    outcome: MailReport["outcome"],
    since: Date,
    error: unknown,
  ): void {
    const milliseconds = clock().getTime() - since.getTime();
    deps.onMail?.({
      tenant_id,
      mail_id,
      letter_id: mail?.letter_id ?? null,
      kind: mail?.kind ?? null,
      outcome,
      milliseconds,
      error,
    });
  }
}

/** Clears the recipient if the letter has ended. */
function forgetting(settlement: MailSettlement, isEnd: boolean): MailSettlement {
  return isEnd ? { ...settlement, recipient: null } : settlement;
}

/** Moves a discontinued letter to Revoked once its custodian was notified (S2 §3). Returns whether it did. */
async function noteDelivery(
  stores: LetterStores,
  runtime: Runtime,
  actor: Actor,
  { kind }: MailRecord,
  letter: LetterRecord | null,
): Promise<boolean> {
  if (kind !== "revocation_notice" || letter?.status !== "Discontinued") return false;
  await moveLetter(stores, runtime, actor, letter, "revoke", { note: "the custodian was told by mail" });
  return true;
}

/** The document that each mail attaches. */
const attachmentOf = {
  signature_request: "generated",
  authorization_letter: "letter",
  revocation_notice: null,
} as const satisfies Record<MailKind, string | null>;

/**
 * The settlement of a mail whose letter moved on while it was being sent. If the outcome is unknown it stays in doubt, and it is
 * never sent again.
 */
function withoutLetter(settlement: MailSettlement, now: Date): MailSettlement {
  const { state } = settlement;
  if (state === "sent" || state === "in_doubt") return { ...settlement, recipient: null };
  return withdrawnAt(now);
}

const outcomeOf = {
  sent: "sent",
  failed: "failed",
  in_doubt: "in_doubt",
  queued: "postponed",
  withdrawn: "superseded",
} as const satisfies Record<MailRecord["state"], MailReport["outcome"]>;

/** Makes a mail server's reply safe for a log, a terminal and the database. Servers often repeat the recipient's address. */
function speakable(outcome: MailOutcome | null, recipient: string): MailOutcome | null {
  if (outcome === null || !("reason" in outcome)) return outcome;
  const address = new RegExp(recipient.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi");
  const reason = outcome.reason
    .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, " ")
    .replace(address, "the recipient")
    .slice(0, 500);
  return { ...outcome, reason };
}

function settlementOf(mail: MailRecord, outcome: MailOutcome, now: Date, isStopping: boolean): MailSettlement {
  const settled = { due_at: now, settled_at: now };
  if (outcome.kind === "accepted") return { ...settled, state: "sent", recipient: mail.recipient, last_error: null };
  const open = { recipient: mail.recipient, last_error: outcome.reason };
  if (outcome.kind === "unknown") return { ...settled, ...open, state: "in_doubt" };
  const attempts = mail.attempts + 1;
  if (!isStopping && (outcome.permanent || attempts >= MAIL_ATTEMPTS)) return { ...settled, ...open, state: "failed" };
  return { ...open, state: "queued", due_at: isStopping ? now : nextSending(attempts, now), settled_at: null };
}
const MINUTE = 60_000;
const MAX_WAIT_MS = 6 * 60 * MINUTE;

/** Renewed while a mail is sent. A mail whose sender was killed is picked up again afterwards. */
const MAIL_LEASE_MS = MINUTE;
/** Time limit of an attempt. */
const SEND_TIMEOUT_MS = 5 * MINUTE;
/**
 * With the waits in between this takes about two days, as long as mail servers usually try. RFC 5321 §4.5.4.1 asks for four to five
 * days, which relays do.
 */
const MAIL_ATTEMPTS = 13;

/** When a temporarily refused mail is attempted again: after 1, 4, 16 and 64 minutes, then every 4 to 6 hours. */
function nextSending(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(MINUTE * 4 ** (attempts - 1), MAX_WAIT_MS));
}

/** Lets operators manage outgoing mail: what is queued, what failed, and what is in doubt. */
export interface Mails {
  /** Newest first. @throws CoreError VALIDATION_ERROR on `page_token` */
  list(search: MailSearch): Promise<{ items: readonly MailView[]; next_page_token: string | null }>;
  /**
   * Sends a failed or in-doubt mail again, after the time in which it can be withdrawn, and a queued one immediately; to another address
   * if one is given.
   * @throws CoreError NOT_FOUND, CONFLICT
   */
  retry(operator: Actor, mailId: Uuid, recipient: string | undefined): Promise<MailView>;
  /** Records that a failed or in-doubt mail has reached its recipient after all. @throws CoreError NOT_FOUND, CONFLICT */
  confirm(operator: Actor, mailId: Uuid): Promise<MailView>;
  /** Decides that a mail that waits is not sent, or that a failed or in-doubt one is not sent again. @throws CoreError NOT_FOUND, CONFLICT */
  withdraw(operator: Actor, mailId: Uuid): Promise<MailView>;
}

export function createMails(deps: {
  storage: LetterStorage;
  runtime: Runtime;
  /** How long a mail that is sent again waits, so that it can be withdrawn; 0 if omitted. */
  mailDelayMs?: number;
}): Mails {
  const { storage, runtime } = deps;
  const page = createPager(runtime.mac);

  return {
    async list({ page_size, page_token, tenant_id, state_in }) {
      const query = { tenant_id: tenant_id ?? null, state_in: state_in ?? null };
      const { rows, next_page_token } = await page({
        query: ["mails", query],
        token: page_token,
        size: page_size,
        rows: (after: MailPlace | null, limit) => storage.mailQueue.list({ ...query, after, limit }),
        keyOf: ({ created_at, mail_id }) => `${created_at.toISOString()} ${mail_id}`,
        readKey: placeOf,
      });
      return { items: rows.map(mailView), next_page_token };
    },
    retry: (operator, mailId, recipient) =>
      change(operator, mailId, "retry", ["queued", "failed", "in_doubt"], (mail, now) => ({
        state: "queued",
        recipient: recipient ?? mail.recipient,
        due_at: mail.state === "queued" ? now : new Date(now.getTime() + (deps.mailDelayMs ?? 0)),
        last_error: mail.last_error,
        settled_at: null,
      })),
    confirm: (operator, mailId) =>
      change(operator, mailId, "confirm", ["failed", "in_doubt"], (mail, now) => ({
        state: "sent",
        recipient: mail.recipient,
        due_at: now,
        last_error: null,
        settled_at: now,
      })),
    withdraw: (operator, mailId) =>
      change(operator, mailId, "withdraw", ["queued", "failed", "in_doubt"], (_mail, now) => withdrawnAt(now)),
  };

  async function change(
    operator: Actor,
    mailId: Uuid,
    action: "retry" | "confirm" | "withdraw",
    from: readonly MailState[],
    settlementOf: (mail: OwnedMail, now: Date) => MailSettlement,
  ): Promise<MailView> {
    const tenantId = await storage.directory.tenantOfMail(mailId);
    if (tenantId === null) throw unknownMail();
    return storage.inTenant(tenantId, async (stores) => {
      const mail = await stores.mails.find(mailId);
      if (!mail) throw unknownMail();
      const owned = { tenant_id: tenantId, ...mail };
      const settlement = settlementOf(owned, runtime.clock());
      const letter = await stores.letterMoves.lock(mail.letter_id);
      if (settlement.state === "queued" && !(letter && isMailOf(letter, mail.kind)))
        throw conflict("mail_out_of_date", "the letter has moved on, and this mail is not sent any more");
      if (!(await stores.mails.change(mailId, from, settlement)))
        throw conflict(
          action === "withdraw" && hasLeft(mail) ? "mail_has_left" : "mail_settled",
          `a mail that is ${stateOf(mail)} takes no ${action}`,
        );
      const isEnd = settlement.state === "sent" && (await noteDelivery(stores, runtime, operator, mail, letter));
      await stores.audit.append(
        auditEntry(runtime, operator, `mail.${action}`, "letter", mail.letter_id, {
          kind: mail.kind,
          mail_id: mailId,
        }),
      );
      return mailView({ ...owned, ...settlement, ...(isEnd && { recipient: null }) });
    });
  }
}

function stateOf({ state, lease }: OwnedMail | { state: MailState; lease: string | null }): string {
  return state === "queued" && lease !== null ? "being sent" : state;
}

/** Whether it is too late to withdraw it. */
function hasLeft({ state, lease }: Pick<OwnedMail, "state" | "lease">): boolean {
  return state === "sent" || (state === "queued" && lease !== null);
}

type MailPlace = Pick<OwnedMail, "created_at" | "mail_id">;

function placeOf(text: string): MailPlace | null {
  const [at, id] = text.split(" ");
  const mail_id = parseUuid(id ?? "");
  return at === undefined || mail_id === null ? null : { created_at: new Date(at), mail_id };
}

function unknownMail(): CoreError {
  return new CoreError("NOT_FOUND", "MailNotFound");
}
