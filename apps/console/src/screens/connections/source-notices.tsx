import type { ReactNode } from "react";
import { useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { nameWithClient } from "../../listing/client-name.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import { type Connection, NextRefresh } from "./connection-parts.js";
import { dataWords } from "./data-words.js";
import { connectionWords } from "./words.js";

type Answer = AnswerOf<"/data/v1/list-investments">;
type Source = Answer["sources"][number];

/** Connections that are named; the others are counted. */
const MAX_NAMED = 8;

/** Whether totals over several connections are complete, and if not, which connections are missing or old. */
export function SourcesNotice({ answer }: { readonly answer: Pick<Answer, "sources" | "source_counts"> }) {
  const words = useWords(dataWords);
  const { ok, pending, stale, error } = answer.source_counts;
  const all = ok + pending + stale + error;
  if (all === 0) return null;
  if (all === ok) return <p className="hint">{words.complete(all)}</p>;
  const named = answer.sources.filter(({ state }) => state !== "ok").slice(0, MAX_NAMED);
  const others = all - ok - named.length;
  return (
    <div className="notice">
      <p>{words.notComplete(all - ok, all)}</p>
      <ul>
        {named.map((source) => (
          <SourceLine key={source.credentials_token} source={source} />
        ))}
        {others > 0 && <li>{words.moreSources(others)}</li>}
      </ul>
    </div>
  );
}

function SourceLine({ source: { credentials_token: connection_id, bank, state } }: { readonly source: Source }) {
  const words = useWords(dataWords);
  const { data } = useAnswer("/data/v1/search-connections", { query: { connection_id } });
  const connection = data?.items[0];
  return (
    <li>
      <Link to={`/connections/${connection_id}`}>{connection ? nameWithClient(connection, bank) : bank}</Link>
      {labelled("", "")}
      {state !== "ok" && words.sourceStates[state]}
    </li>
  );
}

/** Why the data of a connection are not up to date, and what happens or has to be done next. */
export function SourceNotice({
  source,
  connection: { state, letter_id, refresh },
  onRepair,
}: {
  readonly source: "pending" | "stale" | "error";
  readonly connection: Connection;
  readonly onRepair: () => void;
}) {
  const words = useWords(dataWords);
  const connecting = useWords(connectionWords);
  const { may } = usePerson();
  return (
    <div className="notice">
      {words.dataStates[source]} {next()}
    </div>
  );

  function next(): ReactNode {
    if (letter_id !== null)
      return (
        <>
          {state === "blocked" ? words.blocked : source !== "pending" && words.nextFile}{" "}
          <Link to={`/letters/${letter_id}`}>{words.openLetter}</Link>
        </>
      );
    if (state === "needs_relogin" || state === "blocked")
      return (
        <>
          {words.relogin} {may("work") && <Button onClick={onRepair}>{connecting.repair}</Button>}
        </>
      );
    return (
      <>
        {labelled(connecting.nextRefresh, "")}
        <NextRefresh refresh={refresh} />
      </>
    );
  }
}
