import { createHash } from "node:crypto";
import { auditEntry } from "../audit-entry.js";
import { CoreError, invalid, invalidValue } from "../errors.js";
import { FeedRefusal, type SnapshotData } from "../ports/bank-provider.js";
import type { ConnectionRecord } from "../ports/connection-store.js";
import type { Storage, TenantStores } from "../ports/storage.js";
import type { Surroundings } from "../ports/surroundings.js";
import { isUuid } from "../schemas/identifier.js";
import { connectLetter, letterNotFound, locateLetter, moveLetter } from "./letter-moves.js";
import type { Operator } from "./letter-operations.js";
import { publicationOf, statusAfter } from "./publication.js";

/** What became of one custodian file. */
export interface Ingestion {
  readonly status: "ingested" | "duplicate";
  readonly connection_id: string;
  readonly format: string;
  readonly sha256: string;
  readonly portfolios: number;
  readonly holdings: number;
  readonly transactions: number;
}

/** Custodian files as the source of a connection's data (contract §9 "Data feeds"). */
export interface DataFeeds {
  /**
   * Takes one file, whole or not at all, once (by hash). `target` names a connection, or a letter in WaitingForData or later:
   * the first file of a letter in WaitingForData makes its connection and moves it to Connected in the same transaction.
   * @throws CoreError VALIDATION_ERROR on `file` with the place of the fault, NOT_FOUND, CONFLICT (letter not that far)
   */
  ingest(
    operator: Operator,
    target: { connection_id: string } | { letter_id: string },
    file: { name: string; bytes: Uint8Array },
  ): Promise<Ingestion>;
}

/** @param readFeed recognises the format and parses the file whole, or throws {@link FeedRefusal}. */
export function createDataFeeds(deps: {
  storage: Storage;
  surroundings: Surroundings;
  /** The name of a connector's bank. */
  bankOf: (connectorId: string) => Promise<string | null>;
  readFeed: (file: Uint8Array) => { format: string; snapshot: SnapshotData };
}): DataFeeds {
  const { storage, surroundings } = deps;

  return {
    async ingest(operator, target, file) {
      const { tenant_id, bank } =
        "letter_id" in target
          ? await locateLetter(deps, target.letter_id)
          : await locateConnection(target.connection_id);
      const { format, snapshot } = readOrRefuse(file.bytes);
      const sha256 = createHash("sha256").update(file.bytes).digest("hex");
      return storage.inTenant(tenant_id, async (stores) => {
        const connection = await connectionOf(stores, operator, target, bank);
        const now = surroundings.clock();
        const outcome = {
          connection_id: connection.connection_id,
          format,
          sha256,
          portfolios: snapshot.portfolios?.length ?? 0,
          holdings: snapshot.holdings?.length ?? 0,
          transactions: snapshot.transactions?.length ?? 0,
        };
        const taken = await stores.snapshots.takeFile({
          connection_id: connection.connection_id,
          sha256,
          name: file.name,
          format,
          taken_at: now,
        });
        if (!taken) return { status: "duplicate", ...outcome };
        await stores.snapshots.publish(publicationOf(connection.connection_id, snapshot, now));
        const status = statusAfter(connection.status, { snapshot, consent_expires_at: null }, now);
        await stores.connections.save(connection.connection_id, { status });
        const facts = {
          format,
          sha256,
          portfolios: outcome.portfolios,
          holdings: outcome.holdings,
          transactions: outcome.transactions,
        };
        await stores.audit.append(
          auditEntry(surroundings, operator, "datafeed.ingest", "connection", connection.connection_id, facts),
        );
        return { status: "ingested", ...outcome };
      });
    },
  };

  async function locateConnection(connectionId: string) {
    const tenantId = isUuid(connectionId)
      ? await storage.directory.tenantOfConnection(connectionId.toLowerCase())
      : null;
    if (tenantId === null) throw connectionNotFound();
    return { tenant_id: tenantId, bank: "" };
  }

  function readOrRefuse(bytes: Uint8Array) {
    try {
      return deps.readFeed(bytes);
    } catch (error) {
      if (!(error instanceof FeedRefusal)) throw error;
      throw invalid(invalidValue("file", `${error.place}: ${error.reason}`));
    }
  }

  async function connectionOf(
    stores: TenantStores,
    operator: Operator,
    target: { connection_id: string } | { letter_id: string },
    bank: string,
  ): Promise<ConnectionRecord> {
    if ("connection_id" in target) {
      const connection = await stores.connections.find(target.connection_id.toLowerCase());
      if (!connection) throw connectionNotFound();
      return connection;
    }
    const letter = await stores.letters.find(target.letter_id.toLowerCase());
    if (!letter) throw letterNotFound();
    if (letter.status === "WaitingForData") {
      const connection = await connectLetter(stores, surroundings, bank, letter);
      await moveLetter(stores, surroundings, operator, letter, "connect", {
        note: "first data-feed file",
        connection_id: connection.connection_id,
      });
      return connection;
    }
    const connection = letter.connection_id === null ? null : await stores.connections.find(letter.connection_id);
    if (!connection)
      throw new CoreError("CONFLICT", `a letter takes files from WaitingForData on; this one is ${letter.status}`);
    return connection;
  }
}

function connectionNotFound(): CoreError {
  return new CoreError("NOT_FOUND", "no such connection_id");
}
