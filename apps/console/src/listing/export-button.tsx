import { useState } from "react";
import { call } from "../api/call.js";
import { nextPage } from "../api/page-chain.js";
import type { BodyOf, Path } from "../api/paths.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { showToast } from "../parts/toast.js";
import { type CsvColumn, csvOf } from "./csv.js";
import { listWords } from "./list-words.js";

/** The most rows of a file: the browser keeps them all in memory. */
const MAX_ROWS = 100_000;

/** Reads a list to its end and downloads it as a CSV file. Says so if rows were cut off. */
export function ExportButton<P extends Path, R>({
  path,
  body,
  columns,
  name,
}: {
  readonly path: P;
  readonly body: BodyOf<P>;
  readonly columns: readonly CsvColumn<R>[];
  /** The file's name without its extension. */
  readonly name: string;
}) {
  const words = useWords(listWords);
  const [isBusy, setBusy] = useState(false);

  async function save(): Promise<void> {
    setBusy(true);
    try {
      const rows = await everyRow<P, R>(path, body);
      saveFile(`${name}.csv`, csvOf(columns, rows));
      showToast(rows.length < MAX_ROWS ? words.exported(rows.length) : words.exportedInPart(rows.length));
    } catch {
      showToast(words.notExported, "bad");
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button icon="download" isBusy={isBusy} onClick={() => void save()}>
      {words.exportCsv}
    </Button>
  );
}

async function everyRow<P extends Path, R>(path: P, body: BodyOf<P>): Promise<readonly R[]> {
  const rows: R[] = [];
  let next: object | undefined = {};
  while (next !== undefined && rows.length < MAX_ROWS) {
    const page: unknown = await call(path, { ...(body as object), ...next, page_size: 500 } as BodyOf<P>);
    rows.push(...((page as { items: readonly R[] }).items ?? []));
    next = nextPage(page);
  }
  return rows;
}

/** Downloads a text as a file, with a byte order mark, so that spreadsheets read it as UTF-8. */
function saveFile(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
