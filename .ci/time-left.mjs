/** How long a run of the checks may take. */
const MAX_SECONDS = 28 * 60;

/** Seconds until the run that started at `CI_STARTED` (Unix seconds) must end; infinite if it is not set. */
export function secondsLeft() {
  const started = Number(process.env.CI_STARTED);
  return started > 0 ? started + MAX_SECONDS - Date.now() / 1_000 : Number.POSITIVE_INFINITY;
}
