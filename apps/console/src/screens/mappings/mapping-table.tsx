import type { ColumnRole } from "@org/feed-mapping";
import { type ColumnName, columnRolesOf, formatOf, type MappingDocument, withFormat } from "@org/feed-mapping/columns";
import { Fragment } from "react";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { ColumnFormatPicker } from "./column-format.js";
import { columnWords } from "./column-words.js";
import { RowResult } from "./row-result.js";
import type { Trial } from "./use-trial.js";
import { mappingWords } from "./words.js";

export type FileTable = AnswerOf<"/operator/v1/datafeed-mappings/draft">["tables"][number];

/** The file's own rows, with a role above each column, and below each row what it becomes. */
export function MappingTable({
  table,
  index,
  mapping,
  trial,
  onRole,
  onChange,
}: {
  readonly table: FileTable;
  /** Its position among the tables of the file. */
  readonly index: number;
  readonly mapping: MappingDocument;
  readonly trial: Trial | null;
  readonly onRole: (column: ColumnName, role: ColumnRole | null) => void;
  readonly onChange: (mapping: MappingDocument) => void;
}) {
  const words = useWords(mappingWords);
  const terms = useWords(columnWords);
  const columns = table.columns.map((column, at) => ({ ...column, index: at }));
  const roles = columnRolesOf(mapping, index, columns);
  const faults = new Map(
    (trial?.faults ?? []).map((fault) => [
      `${fault.line} ${fault.column === null ? -1 : columnAt(columns, fault.column)}`,
      fault,
    ]),
  );
  const named = ({ name }: ColumnName, at: number) => (name === "" ? terms.column(at + 1) : name);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div
      role="group"
      className="table file-table"
      aria-label={words.yourFile}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard.
      tabIndex={0}
    >
      <table>
        <caption>{words.yourFile}</caption>
        <thead>
          <tr>
            <th scope="col">{words.line}</th>
            {columns.map((column, at) => (
              <th key={column.reference} scope="col" className={roles[at] === null ? "unread" : undefined}>
                <span className="column-name">{named(column, at)}</span>
                <select
                  aria-label={terms.roleOf(named(column, at))}
                  value={roles[at] ?? ""}
                  onChange={({ target }) => onRole(column, target.value === "" ? null : (target.value as ColumnRole))}
                >
                  <option value="">{terms.ignored}</option>
                  {Object.entries(terms.roles)
                    .filter(([role]) => role !== "status" || column.role === "status")
                    .map(([role, label]) => (
                      <option key={role} value={role}>
                        {label}
                      </option>
                    ))}
                </select>
                <ColumnFormatPicker
                  role={roles[at] ?? null}
                  name={named(column, at)}
                  format={formatOf(mapping, index, column)}
                  onChange={(format) => onChange(withFormat(mapping, index, column, format))}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(({ line, cells }) => (
            <Fragment key={line}>
              <tr className={faultIn(trial, line) ? "at-fault" : undefined}>
                <th scope="row">{line}</th>
                {columns.map((column, at) => {
                  const fault = faults.get(`${line} ${at}`);
                  return (
                    <td
                      key={column.reference}
                      id={cellId(line, at)}
                      tabIndex={-1}
                      className={[fault ? "fault-cell" : "", roles[at] === null ? "unread" : ""].join(" ")}
                      title={fault?.reason}
                    >
                      {cells[at]}
                      {fault && <span className="spoken"> ({fault.reason})</span>}
                    </td>
                  );
                })}
              </tr>
              <tr className="becomes">
                <td colSpan={columns.length + 1}>
                  <RowResult
                    line={line}
                    trial={trial}
                    onShow={(column) => focusCell(line, column === null ? 0 : columnAt(columns, column))}
                  />
                </td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function faultIn(trial: Trial | null, line: number): boolean {
  return trial?.faults.some((fault) => fault.line === line) ?? false;
}

/** The position of a column, from 0, by its name or its position from 1; -1 for none. */
function columnAt(columns: readonly ColumnName[], column: string): number {
  const at = columns.findIndex(({ name }) => name !== "" && name.slice(0, 60) === column);
  return at >= 0 || !/^\d+$/.test(column) ? at : Number(column) - 1;
}

function cellId(line: number, column: number): string {
  return `cell-${line}-${column}`;
}

/** Moves the focus to a cell, as a fault's button does. */
function focusCell(line: number, column: number): void {
  const cell = document.getElementById(cellId(line, Math.max(0, column)));
  cell?.scrollIntoView({ block: "center", inline: "center" });
  cell?.focus({ preventScroll: true });
}

/** Moves the focus to the cell of a fault, if the table shows its line. */
export function showFault(table: FileTable, { line, column }: { line: number | null; column: string | null }): void {
  if (line === null) return;
  const columns = table.columns.map((each, index) => ({ ...each, index }));
  focusCell(line, column === null ? 0 : columnAt(columns, column));
}
