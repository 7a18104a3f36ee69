import type { ConnectionRecord, FeedAccount, TenantStores, Uuid } from "@org/core";
import { CoreError } from "@org/core";
import { utcDay } from "@org/provider-kit";
import type { Reconciled } from "./feed-differences.js";
import type { FeedPlace } from "./feed-target.js";

/** What events say about an ingested file: its format and what was found, never its name or contents. */
interface TakenFile extends Reconciled {
  readonly format: string;
  readonly stated: readonly FeedAccount[];
  /** True for a file that was received, false for a statement joined from pages. */
  readonly isFile: boolean;
}

/** Emits `feed.file_taken` for a received file, and `feed.differences` if positions do not add up or days are missing. */
export async function emitIngested(
  { events }: Pick<TenantStores, "events">,
  { connection_id, connector_id, labels, client_ref }: ConnectionRecord,
  letter_id: Uuid | null,
  { format, stated, isFile, differences, gap_days }: TakenFile,
): Promise<void> {
  const feed = { connection_id, letter_id, connector_id, client_ref };
  const about = { object_id: connection_id, labels };
  const day = new Date(stated.reduce((latest, { as_of }) => Math.max(latest, as_of.getTime()), 0));
  const date = utcDay(day);
  const told = [
    ...(isFile ? [{ type: "feed.file_taken", ...about, data: { ...feed, format } } as const] : []),
    ...(differences > 0 || gap_days > 0
      ? [{ type: "feed.differences", ...about, data: { ...feed, date, differences, gap_days } } as const]
      : []),
  ];
  if (told.length > 0) await events.append(told);
}

/** Whether the same file may be taken in a moment: nothing has become of it so far. */
export function isPassing({ code }: CoreError): boolean {
  return code === "RATE_LIMITED" || code === "UNAVAILABLE";
}

/** The reason to report for a refused file; undefined if the same file may be accepted later or the fault is not the file's. */
export function refusalReason(error: unknown): "unreadable" | "not_expected" | undefined {
  if (!(error instanceof CoreError)) return undefined;
  if (error.code === "VALIDATION_ERROR") return "unreadable";
  return error.code === "CONFLICT" ? "not_expected" : undefined;
}

/** Tells the tenant that a file was refused. The reason in words is for operators only, as it may repeat the file's contents. */
export async function emitRefused(
  { connections, letters, events }: Pick<TenantStores, "connections" | "letters" | "events">,
  place: Pick<FeedPlace, "connection_id" | "letter_id">,
  reason: "unreadable" | "not_expected",
): Promise<void> {
  const letter =
    place.letter_id !== undefined
      ? await letters.find(place.letter_id)
      : place.connection_id !== undefined
        ? await letters.findByConnection(place.connection_id)
        : null;
  const connection = place.connection_id === undefined ? null : await connections.find(place.connection_id);
  const fed = connection ?? letter;
  if (fed === null) return;
  const { connector_id, labels, client_ref } = fed;
  const connection_id = connection?.connection_id ?? letter?.connection_id ?? null;
  const letter_id = letter?.letter_id ?? null;
  const object_id = connection_id ?? letter_id;
  if (object_id === null) return;
  const data = { connection_id, letter_id, connector_id, client_ref, reason };
  await events.append([{ type: "feed.file_refused", object_id, labels, data }]);
}
