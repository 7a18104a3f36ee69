import { useAnswer } from "../../api/answers.js";
import { type Held, isDropped } from "./file-places.js";
import { emptyTarget, isTarget, type Target, targetOf } from "./target-fields.js";

/**
 * The letter or connection that a held file is for, with the address at its custodian: the chosen one, or that of the folder in which a file of the
 * drop folder was. Null where nothing is known.
 */
export function useFileOwner(file: Pick<Held, "name" | "source">, chosen: Target) {
  const isChosen = isTarget(chosen);
  const folder = isDropped(file) ? folderOf(file.name) : null;
  const id = isChosen ? chosen.id.trim() : folder;
  const isLetter = isChosen && chosen.kind === "letter_id";
  // Of a folder nobody knows yet whether it names a connection or a letter.
  const found = useAnswer(
    "/operator/v1/connections/search",
    { query: { connection_id: id ?? "" } },
    { enabled: id !== null && !isLetter },
  );
  const connection = found.data?.items[0];
  const letterId = isLetter || (found.data && !connection) ? id : (connection?.letter_id ?? null);
  const letter = useAnswer("/operator/v1/letters/show", { letter_id: letterId ?? "" }, { enabled: letterId !== null });
  const target: Target | null =
    id === null || (!connection && !letter.data)
      ? null
      : { kind: connection && !isLetter ? "connection_id" : "letter_id", id };
  return {
    target: target && targetOf(target),
    address: letter.data?.letter.contact_info.banker_email ?? null,
  };
}

/** The id that a folder of the drop folder is named by; null of other names. */
function folderOf(name: string): string | null {
  const [id = ""] = name.split("/");
  return isTarget({ ...emptyTarget, id }) ? id : null;
}
