import { createSemaphore, type SemaphoreLoad } from "@org/admission";
import { queueRefusal } from "@org/core";

import type { Delivery, ReadablePart } from "./feed-delivery.js";

/**
 * Queues the storing of files. A tenant's files are stored one after the other: in parallel they would wait for each other in the database, each
 * holding a connection. Large files are stored one at a time, tenants round-robin, since each takes some hundred megabytes of memory.
 */
export interface FileStoring {
  /**
   * Reads and stores a file. A large file is not even read before its turn.
   * @throws CoreError RATE_LIMITED, UNAVAILABLE when too many files wait, of one tenant or in total
   */
  read<T>(delivery: Delivery, bytes: number, work: () => Promise<T>): Promise<T>;
  /**
   * Stores what was read, which may be larger than the size of its file suggested: a container.
   * @throws as {@link FileStoring.read}
   */
  store<T>(delivery: Delivery, parts: readonly ReadablePart[], work: () => Promise<T>): Promise<T>;
  /** Large files. */
  readonly large: SemaphoreLoad;
}

export function createFileStoring(): FileStoring {
  const oneFile = { name: "feed_files_waiting", permits: 1, retryAfterSeconds: 60, refuse: queueRefusal };
  const large = createSemaphore({ ...oneFile, waiting: 32, waitingPerKey: 8 });
  /** Rows that were read take more memory than their file, so few may wait. */
  const read = createSemaphore({ ...oneFile, waiting: 3, waitingPerKey: 2 });
  const ofTenant = createSemaphore({
    name: "feed_files_stored",
    permits: Number.POSITIVE_INFINITY,
    permitsPerKey: 1,
    waiting: Number.POSITIVE_INFINITY,
    retryAfterSeconds: 60,
    refuse: queueRefusal,
  });
  /** Deliveries that hold the permit of `large` already. */
  const having = new WeakSet<Delivery>();
  return {
    large,
    read: (delivery, bytes, work) =>
      bytes <= LARGE_BYTES
        ? work()
        : large.run(delivery.origin.tenant_id, () => {
            having.add(delivery);
            return work();
          }),
    store(delivery, parts, work) {
      const { tenant_id } = delivery.origin;
      const inOrder = () => ofTenant.run(tenant_id, work);
      if (having.has(delivery) || !hasManyRows(parts)) return inOrder();
      return read.run(tenant_id, () => large.run(tenant_id, inOrder));
    },
  };
}

const LARGE_BYTES = 4 * 1024 * 1024;

/** Holdings and transactions together. */
const MANY_ROWS = 10_000;

function hasManyRows(parts: readonly ReadablePart[]): boolean {
  const rowsOf = ({ read: { snapshot } }: ReadablePart) =>
    (snapshot.holdings?.length ?? 0) + (snapshot.transactions?.length ?? 0);
  return parts.reduce((rows, part) => rows + rowsOf(part), 0) > MANY_ROWS;
}
