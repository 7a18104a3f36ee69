import { auditEntry } from "../audit-entry.js";
import { systemActor } from "../ports/actor.js";
import type { DocumentPlace } from "../ports/letter-store.js";
import type { Runtime } from "../ports/runtime.js";
import type { Storage } from "../ports/storage.js";
import { createDocumentSafe } from "./document-safe.js";

/** Documents whose bytes are in the database. */
export interface DocumentsHere {
  readonly documents: number;
  readonly bytes: number;
}

/** What a move of documents to the bucket has done. */
export interface DocumentsMoved {
  readonly moved: number;
  /** They stay in the database: their bytes do not open, or are not those that they were made of. */
  readonly unreadable: readonly (DocumentPlace & { readonly tenant_id: string })[];
}

/** Places read at once, and documents that are moved at the same time. */
const PAGE = 100;
const AT_ONCE = 4;

/** Counts the documents of all tenants whose bytes are in the database. */
export async function countDocumentsHere({ storage }: { readonly storage: Storage }): Promise<DocumentsHere> {
  const all = { documents: 0, bytes: 0 };
  for (const { tenant_id } of await storage.tenants.list()) {
    const here = await storage.inTenant(tenant_id, ({ letterDocuments }) => letterDocuments.countHere());
    all.documents += here.documents;
    all.bytes += here.bytes;
  }
  return all;
}

/**
 * Moves letters' documents from the database to the bucket, tenant by tenant, while servers work. It can be broken off at any time: each
 * document is in one place or the other, and the next run does what is left. What it moved of a tenant is in the audit trail.
 * @param onMoved told how many are done after each
 * @throws CoreError UNAVAILABLE when the bucket is away
 */
export async function moveDocuments(
  deps: { readonly storage: Storage; readonly runtime: Runtime },
  onMoved: (moved: number) => void = () => undefined,
): Promise<DocumentsMoved> {
  const { storage, runtime } = deps;
  const safe = createDocumentSafe(deps);
  const unreadable: (DocumentPlace & { tenant_id: string })[] = [];
  let moved = 0;

  async function moveOf(tenant_id: string): Promise<void> {
    const before = moved;
    const moveSome = async (places: Iterable<DocumentPlace>) => {
      for (const place of places) {
        const done = await safe.moveToBucket(tenant_id, place);
        if (done === "unreadable") unreadable.push({ tenant_id, ...place });
        if (done !== "moved") continue;
        moved += 1;
        onMoved(moved);
      }
    };
    try {
      let last: DocumentPlace | null = null;
      do {
        const page: readonly DocumentPlace[] = await pageAfter(tenant_id, last);
        const left = page.values();
        const tried = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => moveSome(left)));
        for (const one of tried) if (one.status === "rejected") throw one.reason;
        last = page.at(-1) ?? null;
      } while (last !== null);
    } finally {
      if (moved > before) {
        const entry = auditEntry(runtime, systemActor, "document.move", "tenant", tenant_id, { moved: moved - before });
        await storage.auditTrail.append([{ tenant_id, ...entry }]);
      }
    }
  }

  const pageAfter = (tenant_id: string, last: DocumentPlace | null) =>
    storage.inTenant(tenant_id, ({ letterDocuments }) => letterDocuments.listHere(last, PAGE));

  for (const { tenant_id } of await storage.tenants.list()) await moveOf(tenant_id);
  return { moved, unreadable };
}
