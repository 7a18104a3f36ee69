import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { listWords } from "../../listing/list-words.js";
import { Badge } from "../../parts/badge.js";
import { sourceWords } from "./words.js";

/** Whether a source is enabled, and how its last polls went. */
export function SourceState({
  source: { enabled, failures, last_error },
}: {
  readonly source: AnswerOf<"/operator/v1/sources/list">["items"][number];
}) {
  const words = useWords(sourceWords);
  const general = useWords(listWords);
  return (
    <>
      <Badge tone={!enabled ? "neutral" : failures > 0 ? "bad" : "good"}>
        {!enabled ? general.disabled : failures > 0 ? words.failing(failures) : words.well}
      </Badge>{" "}
      {last_error && <span className="quiet">{last_error}</span>}
    </>
  );
}
