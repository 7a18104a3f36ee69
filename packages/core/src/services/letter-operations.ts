import { type LetterEvent, LetterTransitionError, mainLineEvent, nextStatus } from "@org/letter-lifecycle";
import { auditEntry } from "../audit-entry.js";
import { CoreError, invalid, invalidValue } from "../errors.js";
import type { LetterMove, LetterRecord } from "../ports/letter-store.js";
import type { Storage, TenantStores } from "../ports/storage.js";
import type { Surroundings } from "../ports/surroundings.js";
import { isStorableText } from "../schemas/identifier.js";
import type { LetterView } from "../schemas/letter.js";
import { connectLetter, letterNotFound, locateLetter, moveLetter } from "./letter-moves.js";
import { letterView } from "./letters.js";

/** A letter as an operator sees it. */
export interface OperatorLetter extends LetterView {
  readonly tenant_id: string;
  readonly contact_info: Readonly<Record<string, string | undefined>>;
  /** Oldest first. */
  readonly history: readonly (Omit<LetterMove, "at"> & { readonly at: string })[];
}

/** The operator's side of letters (contract §7, §8). `operator` acts; the tenant is found from the letter. */
export interface LetterOperations {
  /** @throws CoreError NOT_FOUND with message `LetterNotFound` */
  show(letterId: string): Promise<OperatorLetter>;
  /** Makes the one next move of the main line; `to` checks that it is the one expected. @throws CoreError CONFLICT */
  advance(
    operator: Operator,
    letterId: string,
    options: { to?: string | undefined; note?: string | undefined },
  ): Promise<OperatorLetter>;
  /** @throws CoreError CONFLICT unless the letter is WaitingForData or Connected */
  block(operator: Operator, letterId: string, note: string | undefined): Promise<OperatorLetter>;
  resolve(operator: Operator, letterId: string, note: string | undefined): Promise<OperatorLetter>;
  /** Sets the observations that the tenant sees; null clears them. */
  observe(operator: Operator, letterId: string, observations: string | null): Promise<OperatorLetter>;
}

/** An operator application acting on any tenant. */
export interface Operator {
  readonly application_id: string;
  readonly trace_id: string | null;
  readonly address: string | null;
}

/** @param bankOf the name of a connector's bank */
export function createLetterOperations(deps: {
  storage: Storage;
  surroundings: Surroundings;
  bankOf: (connectorId: string) => Promise<string | null>;
}): LetterOperations {
  const { storage, surroundings } = deps;

  return {
    show: (letterId) => withLetter(letterId, async (_stores, letter) => letter),
    advance: (operator, letterId, { to, note }) =>
      withLetter(letterId, async (stores, letter, bank) => {
        checkNote(note);
        const event = mainLineEvent(letter.status);
        if (event === null) throw new CoreError("CONFLICT", `a letter that is ${letter.status} has no next step`);
        const next = nextStatus(letter, event);
        if (to !== undefined && to !== next)
          throw new CoreError("CONFLICT", `the next step of a letter that is ${letter.status} is ${next}, not ${to}`, {
            details: [invalidValue("to", `must be ${next}`)],
          });
        const connection = event === "connect" ? await connectLetter(stores, surroundings, bank, letter) : null;
        return move(stores, operator, letter, event, {
          note,
          ...(connection && { connection_id: connection.connection_id }),
        });
      }),
    block: (operator, letterId, note) =>
      withLetter(letterId, (stores, letter) => move(stores, operator, letter, "block", { note })),
    resolve: (operator, letterId, note) =>
      withLetter(letterId, (stores, letter) => move(stores, operator, letter, "resolve", { note })),
    observe: (operator, letterId, observations) =>
      withLetter(letterId, async (stores, letter) => {
        if (observations !== null && (observations.length > 2_000 || !isStorableText(observations)))
          throw invalid(invalidValue("observations", "must be text of at most 2000 characters"));
        const observed = { ...letter, observations, updated_at: surroundings.clock() };
        const note = {
          move_id: surroundings.newId(),
          letter_id: letter.letter_id,
          at: observed.updated_at,
          actor: operator.application_id,
        };
        if (
          !(await stores.letters.move(observed, {
            ...note,
            event: "observe",
            from: letter.status,
            to: letter.status,
            note: null,
          }))
        )
          throw overtaken();
        await stores.audit.append(auditEntry(surroundings, operator, "letter.observe", "letter", letter.letter_id));
        return observed;
      }),
  };

  async function withLetter(
    letterId: string,
    work: (stores: TenantStores, letter: LetterRecord, bank: string) => Promise<LetterRecord>,
  ): Promise<OperatorLetter> {
    const { tenant_id, letter_id, bank } = await locateLetter(deps, letterId);
    return storage.inTenant(tenant_id, async (stores) => {
      const letter = await stores.letters.find(letter_id);
      if (!letter) throw letterNotFound();
      const result = await work(stores, letter, bank);
      const history = await stores.letters.history(letter_id);
      return {
        ...letterView(result),
        tenant_id,
        contact_info: result.contact_info,
        history: history.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
      };
    });
  }

  async function move(
    stores: TenantStores,
    operator: Operator,
    letter: LetterRecord,
    event: LetterEvent,
    change: { note?: string | undefined; connection_id?: string },
  ) {
    checkNote(change.note);
    try {
      return await moveLetter(stores, surroundings, operator, letter, event, change);
    } catch (error) {
      if (error instanceof LetterTransitionError)
        throw new CoreError("CONFLICT", `a letter that is ${letter.status} cannot be moved by ${event}`, {
          cause: error,
        });
      throw error;
    }
  }
}

function checkNote(note: string | undefined): void {
  if (note !== undefined && (note.length > 2_000 || !isStorableText(note)))
    throw invalid(invalidValue("note", "must be text of at most 2000 characters"));
}

function overtaken(): CoreError {
  return new CoreError("CONFLICT", "the letter was moved by someone else meanwhile; look at it again");
}
