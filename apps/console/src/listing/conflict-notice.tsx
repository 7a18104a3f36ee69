import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type ApiProblem, isVersionConflict } from "../api/api-problem.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Facts } from "../parts/facts.js";
import { Problem } from "../parts/problem.js";
import type { EditedVersion } from "./edited-version.js";
import { listWords } from "./list-words.js";

/** The change that a form sends. */
export type OwnChange = Pick<UseMutationResult<unknown, ApiProblem, never>, "error" | "isPending">;

/**
 * Why a change was refused. After a conflict it also shows the current values, before the user continues. While a change is being sent, what
 * appears is the user's own.
 */
export function ConflictNotice({
  seen,
  now = [],
  change: { error: problem, isPending },
  known = {},
  children,
}: {
  readonly seen: Pick<EditedVersion<unknown>, "isVersionConflict" | "look">;
  /** Values that changed since the form was opened. */
  readonly now?: readonly (readonly [name: string, value: ReactNode])[];
  readonly change: OwnChange;
  /** As in `Problem`. */
  readonly known?: Readonly<Record<string, string>>;
  /** Replaces the list of {@link now}. */
  readonly children?: ReactNode;
}) {
  const words = useWords(listWords);
  return (
    <>
      {!(isVersionConflict(problem) && seen.isVersionConflict) && <Problem problem={problem} known={known} />}
      <div role="status">
        {seen.isVersionConflict && !isPending && (
          <div className="notice">
            <strong>{words.meanwhile}</strong>
            {now.length > 0 && <p>{words.thereNow}</p>}
            <Facts facts={now} />
            {children}
            <Button onClick={seen.look}>{words.goOn}</Button>
          </div>
        )}
      </div>
    </>
  );
}
