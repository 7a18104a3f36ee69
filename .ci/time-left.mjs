/** How long a run of the checks may take. */
const MAX_SECONDS = 28 * 60;

/** Until the run that began at `CI_STARTED` (Unix seconds) has to be over; without one there is no end. */
export function secondsLeft() {
  const started = Number(process.env.CI_STARTED);
  return started > 0 ? started + MAX_SECONDS - Date.now() / 1_000 : Number.POSITIVE_INFINITY;
}
