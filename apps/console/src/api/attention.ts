/** How long a user counts as active after the last input. */
const ATTENTIVE_MS = 60_000;

let touchedAt = Date.now();

function touched(): void {
  touchedAt = Date.now();
}

/** Starts listening for user input. */
export function trackUserActivity(): void {
  for (const event of ["pointerdown", "keydown", "wheel", "touchstart"])
    window.addEventListener(event, touched, { capture: true, passive: true });
}

/** Whether the user is active. While they are not, requests that the page makes because of an event or a timer do not extend the session. */
export function isUserActive(): boolean {
  return Date.now() - touchedAt < ATTENTIVE_MS;
}
