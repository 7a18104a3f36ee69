import { call } from "../../api/call.js";
import type { AnswerOf } from "../../api/paths.js";
import { withFreshProof } from "../../api/proving.js";

/** Sends a file as plain bytes, whatever type the browser assumes; its name is in the query. */
export function ingestFile(
  file: File,
  target: { readonly letter_id?: string; readonly connection_id?: string },
): Promise<AnswerOf<"/operator/v1/datafeeds/ingest">> {
  const query = new URLSearchParams({ ...target, name: file.name });
  const path = `/operator/v1/datafeeds/ingest?${query}` as "/operator/v1/datafeeds/ingest";
  return withFreshProof(() => call(path, new Blob([file], { type: "application/octet-stream" })));
}
