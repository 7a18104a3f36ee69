import { Problem } from "../parts/problem.js";
import { isCancelled } from "./ceremony.js";

/** Why asking the browser for a passkey led to nothing: it was left by the person, or something is wrong. Either is read out. */
export function CeremonyProblem({
  error,
  cancelled,
  known = {},
}: {
  readonly error: unknown;
  /** What is said to somebody who left it. */
  readonly cancelled: string;
  /** As of `Problem`. */
  readonly known?: Readonly<Record<string, string>>;
}) {
  return (
    <>
      <div role="status">{isCancelled(error) && <p className="notice">{cancelled}</p>}</div>
      {!isCancelled(error) && <Problem problem={error} known={known} />}
    </>
  );
}
