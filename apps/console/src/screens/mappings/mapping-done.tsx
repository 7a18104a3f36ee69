import { useWords } from "../../language/language.js";
import { listWords } from "../../listing/list-words.js";
import { Badge } from "../../parts/badge.js";
import { Link } from "../../parts/link.js";
import { Problem } from "../../parts/problem.js";
import { mappingWords } from "./words.js";

/** What became of a mapping that was made from a refused file, and of the file. */
export interface Done {
  readonly title: string;
  /** How many files were tried again and taken. */
  readonly retried: number;
  readonly taken: number;
  /** The connections that have their data now. */
  readonly connections: readonly string[];
  /** Why the uploaded file was refused again. */
  readonly problem?: unknown;
}

/** Says that the mapping is saved and the file taken, and leads to the connection, whose data it is. */
export function MappingDone({ done: { title, retried, taken, connections, problem } }: { readonly done: Done }) {
  const words = useWords(mappingWords);
  const general = useWords(listWords);
  const isTaken = taken > 0 && taken === retried;
  return (
    <section aria-label={words.saved(title)}>
      <p role="status">
        <Badge tone={isTaken ? "good" : "warn"}>{words.takenNow(taken, retried)}</Badge>
      </p>
      <Problem problem={problem} />
      <div className="actions">
        {connections.slice(0, 5).map((id) => (
          <Link key={id} to={`/connections/${id}`} className="button first">
            {general.toConnection}
          </Link>
        ))}
        <Link to="/feeds" search={{ tab: "pending" }} className="button usual">
          {words.toPending}
        </Link>
      </div>
    </section>
  );
}
