import { Problem } from "../parts/problem.js";
import { isCancelled } from "./ceremony.js";

/** Why a passkey prompt gave no result: the user cancelled it, or it failed. Both are announced to screen readers. */
export function CeremonyProblem({
  error,
  cancelled,
  known = {},
}: {
  readonly error: unknown;
  /** The text for a user who cancelled. */
  readonly cancelled: string;
  /** As in `Problem`. */
  readonly known?: Readonly<Record<string, string>>;
}) {
  return (
    <>
      <div role="status">{isCancelled(error) && <p className="notice">{cancelled}</p>}</div>
      {!isCancelled(error) && <Problem problem={error} known={known} />}
    </>
  );
}
