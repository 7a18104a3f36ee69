import { invalid, invalidValue } from "../errors.js";
import { parseOrRefuse } from "../faults.js";
import type { Actor, TenantActor } from "../ports/actor.js";
import type { Labels } from "../schemas/labels.js";
import type { ContactInfo } from "../schemas/letter.js";
import { type LetterDetails, signedCopySchema } from "../schemas/letter-details.js";
import type { Connectors } from "./connectors.js";
import {
  checkDocuments,
  type DocumentChecks,
  type ReceivedDocuments,
  refuseFaults,
  type SoundDocument,
  sealDocument,
} from "./letter-documents.js";
import { sealDetails } from "./letter-generation.js";
import { moveLetter, noteOnLetter } from "./letter-moves.js";
import { keepNewLetter } from "./new-letter.js";
import { type OperatorLetter, type OperatorLetterDeps, onLetter } from "./operator-letter.js";

/** Letters that the service generates: the other entry point of S2 §1. The steps between are `LetterOperations.advance`. */
export interface LetterRequests {
  /** A new letter in NewRequest, for the tenant of `actor`. @throws CoreError VALIDATION_ERROR on `connector_id` */
  request(
    actor: TenantActor,
    request: { connector_id: string; labels: Labels; contact_info: ContactInfo },
  ): Promise<OperatorLetter>;
  /** Keeps who the letter is for: NewRequest → UsersDetail, or changes them there. @throws CoreError CONFLICT, NOT_FOUND */
  collectDetails(operator: Actor, letterId: string, details: LetterDetails): Promise<OperatorLetter>;
  /**
   * Takes the signed letter: SentToUser → Signed. `body` is the request body as sent.
   * @param received documents that the adapter has decoded already
   * @throws CoreError VALIDATION_ERROR with every fault, TOO_LARGE, CONFLICT, NOT_FOUND, UNAVAILABLE when a document cannot be
   * checked now
   */
  attachSigned(operator: Actor, body: unknown, received?: ReceivedDocuments): Promise<OperatorLetter>;
}

export function createLetterRequests(
  deps: OperatorLetterDeps & {
    readonly connectors: Connectors;
    readonly checks: DocumentChecks;
  },
): LetterRequests {
  const { storage, runtime } = deps;

  return {
    async request(actor, request) {
      if (!(await deps.connectors.find(request.connector_id)))
        throw invalid(invalidValue("connector_id", "must be the id of a connector of list-connectors"));
      const letter_id = runtime.newId();
      const letter = { letter_id, ...request, status: "NewRequest", created_at: runtime.clock() } as const;
      await storage.inTenant(actor.tenant_id, (stores) =>
        keepNewLetter(stores, runtime, actor, letter, [], { event: "request", action: "letter.request" }),
      );
      return onLetter(deps, letter_id, async (_stores, letter) => letter);
    },
    async collectDetails(operator, letterId, details) {
      return onLetter(deps, letterId, async (stores, letter) => {
        const { letter_id, status } = letter;
        await stores.letters.keepDetails(letter_id, await sealDetails(runtime.vault, letter_id, details));
        return status === "UsersDetail"
          ? noteOnLetter(stores, runtime, operator, letter, "correct_details")
          : moveLetter(stores, runtime, operator, letter, "collect_details");
      });
    },
    async attachSigned(operator, body, received = {}) {
      const { letter_id: letterId, data, annex } = parseOrRefuse(signedCopySchema, body);
      const checked = await checkDocuments({ data, annex: annex ?? undefined }, received, deps.checks);
      refuseFaults([], checked, deps.checks.maxBytes);
      return onLetter(deps, letterId, async (stores, letter) => {
        const { letter_id } = letter;
        const attach = async (kind: "letter" | "annex", document: SoundDocument | undefined) => {
          if (!document) return;
          await stores.letters.attach(letter_id, await sealDocument(runtime.vault, letter_id, kind, document));
        };
        // The move first: of several at once one gets past it.
        const moved = await moveLetter(stores, runtime, operator, letter, "sign");
        await attach("letter", checked.data);
        await attach("annex", checked.annex);
        return moved;
      });
    },
  };
}
