/** For how long somebody who has touched the page counts as being at it. */
const ATTENTIVE_MS = 60_000;

let touchedAt = Date.now();

function touched(): void {
  touchedAt = Date.now();
}

/** From now on what somebody does at the page is noticed. */
export function trackUserActivity(): void {
  for (const event of ["pointerdown", "keydown", "wheel", "touchstart"])
    window.addEventListener(event, touched, { capture: true, passive: true });
}

/** Whether somebody is at the page: what it asks for while nobody is, because of an event or the clock, keeps no session from ending. */
export function isUserActive(): boolean {
  return Date.now() - touchedAt < ATTENTIVE_MS;
}
