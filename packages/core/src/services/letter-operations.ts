import { mainLineEvent, nextStatus } from "@org/letter-lifecycle";
import { auditEntry } from "../audit-entry.js";
import { CoreError, invalidValue } from "../errors.js";
import type { Actor } from "../ports/actor.js";
import type { LetterDocument, LetterRecord } from "../ports/letter-store.js";
import type { TenantStores } from "../ports/storage.js";
import { openDocument, sealDocument } from "./letter-documents.js";
import { type LetterTemplate, openDetails } from "./letter-generation.js";
import {
  connectLetter,
  discontinueLetter,
  letterNotFound,
  letterOvertaken,
  locateLetter,
  moveLetter,
  noteOnLetter,
} from "./letter-moves.js";
import { checkText, type OperatorLetter, type OperatorLetterDeps, onLetter } from "./operator-letter.js";

/** The operator's side of letters (contract §7, §8). `operator` acts; the tenant is found from the letter. */
export interface LetterOperations {
  /** @throws CoreError NOT_FOUND with message `LetterNotFound` */
  show(letterId: string): Promise<OperatorLetter>;
  /** Makes the one next move of the main line; `to` checks that it is the one expected. @throws CoreError CONFLICT */
  advance(
    operator: Actor,
    letterId: string,
    options: { to?: string | undefined; note?: string | undefined },
  ): Promise<OperatorLetter>;
  /** @throws CoreError CONFLICT unless the letter is WaitingForData or Connected */
  block(operator: Actor, letterId: string, note: string | undefined): Promise<OperatorLetter>;
  /** @throws CoreError CONFLICT unless the letter is Blocked */
  resolve(operator: Actor, letterId: string, note: string | undefined): Promise<OperatorLetter>;
  /** Ends a letter that never was Connected. @throws CoreError CONFLICT when it was, or has ended */
  cancel(operator: Actor, letterId: string, note: string | undefined): Promise<OperatorLetter>;
  /** Sets the observations that the tenant sees; null clears them. */
  observe(operator: Actor, letterId: string, observations: string | null): Promise<OperatorLetter>;
  /** A document as it was submitted or generated; that it was looked at stands in the audit trail. @throws CoreError NOT_FOUND */
  document(operator: Actor, letterId: string, kind: LetterDocument["kind"]): Promise<OpenedDocument>;
}

/** A decrypted document of a letter. */
export interface OpenedDocument {
  readonly letter_id: string;
  readonly kind: LetterDocument["kind"];
  readonly sha256: string;
  readonly size: number;
  readonly bytes: Uint8Array;
}

export function createLetterOperations(
  deps: OperatorLetterDeps & { readonly template: LetterTemplate },
): LetterOperations {
  const { storage, runtime } = deps;

  return {
    show: (letterId) => onLetter(deps, letterId, async (_stores, letter) => letter),
    async advance(operator, letterId, { to, note }) {
      checkText("note", note);
      const written = await writeIfDue(letterId);
      return onLetter(deps, letterId, async (stores, letter, bank) => {
        const event = mainLineEvent(letter.status);
        if (event === null) throw new CoreError("CONFLICT", `a letter that is ${letter.status} has no next step`);
        const next = nextStatus(letter, event);
        if (to !== undefined && to !== next)
          throw new CoreError("CONFLICT", `the next step of a letter that is ${letter.status} is ${next}, not ${to}`, {
            details: [invalidValue("to", `must be ${next}`)],
          });
        const missing = needed[letter.status];
        if (missing) throw new CoreError("CONFLICT", `a letter that is ${letter.status} moves on with ${missing}`);
        // What was written is of the letter as it was then.
        if (event === "generate" && written?.version !== letter.version) throw letterOvertaken();
        const prepared = await prepare(stores, letter, bank);
        const moved = await moveLetter(stores, runtime, operator, letter, event, { note, ...prepared });
        if (event === "generate" && written)
          await stores.letters.attach(letter.letter_id, await sealed(letter.letter_id, written.bytes));
        return moved;
      });
    },
    block: (operator, letterId, note) => move(operator, letterId, "block", note),
    resolve: (operator, letterId, note) => move(operator, letterId, "resolve", note),
    cancel: (operator, letterId, note) =>
      onLetter(deps, letterId, async (stores, letter) => {
        checkText("note", note);
        if (nextStatus(letter, "discontinue") !== "Cancelled")
          throw new CoreError("CONFLICT", "this letter was Connected: its tenant discontinues it, with its data");
        return discontinueLetter(stores, runtime, operator, letter, note);
      }),
    observe: (operator, letterId, observations) =>
      onLetter(deps, letterId, async (stores, letter) => {
        checkText("observations", observations);
        return noteOnLetter(stores, runtime, operator, letter, "observe", { observations });
      }),
    async document(operator, letterId, kind) {
      const { tenant_id, letter_id } = await locateLetter(deps, letterId);
      const found = await storage.inTenant(tenant_id, async ({ letters, audit }) => {
        const document = await letters.document(letter_id, kind);
        if (document)
          await audit.append(auditEntry(runtime, operator, "letter.document", "letter", letter_id, { kind }));
        return document;
      });
      if (!found) throw new CoreError("NOT_FOUND", "DocumentNotFound");
      const { sha256, size } = found;
      return { letter_id, kind, sha256, size, bytes: await openDocument(runtime.vault, letter_id, found) };
    },
  };

  function move(operator: Actor, letterId: string, event: "block" | "resolve", note: string | undefined) {
    return onLetter(deps, letterId, async (stores, letter) => {
      checkText("note", note);
      return moveLetter(stores, runtime, operator, letter, event, { note });
    });
  }

  /** What has to be there before a step of the main line is made. */
  async function prepare(stores: TenantStores, letter: LetterRecord, bank: string) {
    const { letter_id, status } = letter;
    if (status === "WaitingForData") {
      const { connection_id } = await connectLetter(stores, runtime, bank, letter);
      return { connection_id };
    }
    if (status !== "Generated") return {};
    return { client_email: (await detailsOf(stores, letter_id)).email };
  }

  async function detailsOf(stores: TenantStores, letterId: string) {
    const details = await stores.letters.details(letterId);
    if (details === null) throw letterNotFound();
    return openDetails(runtime.vault, letterId, details);
  }

  function sealed(letterId: string, bytes: Uint8Array) {
    return sealDocument(runtime.vault, letterId, "generated", { bytes, signature: "none" });
  }

  /** The letter as a PDF, if that is its next step: setting it takes a while, which no transaction should. */
  async function writeIfDue(letterId: string): Promise<{ version: number; bytes: Uint8Array } | null> {
    const { tenant_id, letter_id, bank } = await locateLetter(deps, letterId);
    const due = await storage.inTenant(tenant_id, async (stores) => {
      const letter = await stores.letters.find(letter_id);
      return letter?.status === "UsersDetail" ? { letter, details: await detailsOf(stores, letter_id) } : null;
    });
    if (!due) return null;
    const { connector_id, version } = due.letter;
    const text = { letter_id, connector_id, bank, details: due.details, date: runtime.clock() };
    return { version, bytes: await deps.template(text) };
  }
}

/** Steps that need more than a word: what brings it. */
const needed: Partial<Record<LetterRecord["status"], string>> = {
  NewRequest: "the client's details (letters details)",
  SentToUser: "the signed letter (letters sign)",
};
