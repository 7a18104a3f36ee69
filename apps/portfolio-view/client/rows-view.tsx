import { useCallback, useMemo } from "react";
import { type Answer, type Row, type RowTool, singleSource } from "../src/answer.js";
import { AllocationSection } from "./allocation-section.js";
import { RowTable } from "./row-table.js";
import { SourceList } from "./source-list.js";
import type { ContentProps } from "./view.js";

/** The rows of a tool, with their banks and their allocation. */
export function rowsView(tool: RowTool) {
  return function RowsView({ answer, isWhole, messages, context }: ContentProps<Answer>) {
    const sourceOf = useMemo(() => {
      const byToken = new Map(answer.sources.map((source) => [source.credentials_token, source]));
      // Rows of a single connection need no bank name.
      const only = singleSource(answer);
      return ({ credentials_token }: Row) => only ?? byToken.get(credentials_token ?? "");
    }, [answer]);
    const bankOf = useCallback((row: Row) => sourceOf(row)?.bank ?? null, [sourceOf]);
    return (
      <>
        <SourceList answer={answer} messages={messages} context={context} />
        <AllocationSection {...{ answer, isWhole, messages, bankOf }} />
        <h2>{messages.rows(answer.rows.length, answer.total)}</h2>
        {answer.total === 0 && <p>{messages.nothing}</p>}
        {answer.rows.length > 0 && (
          <RowTable {...{ tool, rows: answer.rows, title: messages.titles[tool], messages, sourceOf }} />
        )}
      </>
    );
  };
}
