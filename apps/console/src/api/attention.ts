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

/** Whether somebody is at the page: what it asks for while nobody is, because of an event or the clock, keeps no session from ending. */
export function isUserActive(): boolean {
  return Date.now() - touchedAt < ATTENTIVE_MS;
}
