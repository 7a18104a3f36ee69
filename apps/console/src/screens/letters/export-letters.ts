import { csvLines } from "@org/core/csv";
import { call } from "../../api/call.js";
import type { BodyOf } from "../../api/paths.js";
import type { ListedLetter } from "./letter-terms.js";

const PAGE = 500;

/** Column headers, the same in every language, since programs read the file too. */
const columns: readonly (readonly [
  head: string,
  cell: (letter: ListedLetter) => string | number | readonly string[] | null,
])[] = [
  ["letter_id", ({ id }) => id],
  ["tenant", ({ tenant }) => tenant],
  ["custodian", ({ custodian }) => custodian],
  ["connector_id", ({ connector_id }) => connector_id],
  ["status", ({ status }) => status],
  ["status_since", ({ status_since }) => status_since],
  ["days_in_status", ({ days_in_status }) => days_in_status],
  ["next_by", ({ to_do }) => to_do.by],
  ["next", ({ to_do }) => to_do.what],
  ["labels", ({ labels }) => Object.entries(labels).map(([key, value]) => `${key}=${value}`)],
  ["banker_email", ({ contact_info }) => contact_info.banker_email ?? null],
  ["observations", ({ observations }) => observations],
  ["connection_id", ({ connection_id }) => connection_id],
  ["created_at", ({ created_at }) => created_at],
  ["updated_at", ({ updated_at }) => updated_at],
];

/**
 * Everything that a search finds, as CSV (RFC 4180, UTF-8 with a byte order mark for Excel), read page by page. @param onProgress the number of
 * letters read, and the total
 */
export async function exportLetters(
  search: BodyOf<"/operator/v1/letters/search">,
  onProgress: (read: number, total: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const parts = ["\ufeff", csvLines([columns.map(([head]) => head)])];
  let page_token: string | null = null;
  let read = 0;
  do {
    const body = { ...search, page: 1, page_size: PAGE, page_token };
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(body, signal);
    parts.push(csvLines(page.items.map((letter) => columns.map(([, cell]) => cell(letter)))));
    read += page.items.length;
    onProgress(read, page.total);
    page_token = page.next_page_token;
  } while (page_token !== null);
  return new Blob(parts, { type: "text/csv" });
}

function pageOf(body: BodyOf<"/operator/v1/letters/search">, signal: AbortSignal) {
  return call("/operator/v1/letters/search", body, signal);
}

/** Downloads a file. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The URL is no longer needed once the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
