import { createPager, type ListOrder, parseUuid, type Runtime } from "@org/core";
import type { FileState, PlaceByTime, SourceFileStore } from "./ports/source-store.js";
import { fileView } from "./source-views.js";

/** Selects the files to list; null = of all. */
export interface FileSearch {
  readonly source: string | null;
  readonly state: FileState | null;
  readonly order: ListOrder;
  readonly page_token?: string | undefined;
  readonly page_size: number;
}

/** Lists files by the time they came, page by page. The list throws CoreError VALIDATION_ERROR on `page_token`. */
export function createFileList(files: Pick<SourceFileStore, "list">, mac: Runtime["mac"]) {
  const page = createPager(mac);
  return async ({ page_token, page_size, ...query }: FileSearch) => {
    const { rows, next_page_token } = await page({
      query: ["source-files", query],
      token: page_token,
      size: page_size,
      rows: (after: PlaceByTime | null, limit) => files.list({ ...query, after, limit }),
      keyOf: ({ came_at, file_id }) => `${came_at.toISOString()} ${file_id}`,
      readKey: placeOf,
    });
    return { items: rows.map(fileView), next_page_token };
  };
}

function placeOf(text: string): PlaceByTime | null {
  const [at, id] = text.split(" ");
  const file_id = parseUuid(id ?? "");
  return at === undefined || file_id === null ? null : { came_at: new Date(at), file_id };
}
