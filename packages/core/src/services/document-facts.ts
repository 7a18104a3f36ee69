import { CoreError } from "../errors.js";
import type { DocumentFacts } from "../ports/letter-store.js";
import type { Storage } from "../ports/storage.js";
import { isUuid } from "../schemas/identifier.js";

/** What an operator is shown of the documents of any tenant's letter: never what is in them. */
export interface LetterDocumentFacts {
  /** The letter first, then its annex. @throws CoreError NOT_FOUND with message `LetterNotFound` */
  list(letterId: string): Promise<readonly DocumentFacts[]>;
}

export function createLetterDocumentFacts({ storage }: { storage: Storage }): LetterDocumentFacts {
  return {
    async list(letterId) {
      const id = letterId.toLowerCase();
      const tenantId = isUuid(id) ? await storage.directory.tenantOfLetter(id) : null;
      if (tenantId === null) throw new CoreError("NOT_FOUND", "LetterNotFound");
      return storage.inTenant(tenantId, ({ letters }) => letters.documents(id));
    },
  };
}
