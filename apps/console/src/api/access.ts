import { createStored } from "../shell/stored.js";

/** Whether this tab may go on. `ended`: the session has ended, or the person has; what is on the screen is put away until they sign in. */
export const access = createStored<"held" | "ended">("held");

let token: string | null = null;

/** What proves that a change was asked for by this page. */
export function csrfToken(): string | null {
  return token;
}

/** Keeps what the session says of itself. */
export function accessHeld(csrf: string | null): void {
  token = csrf;
  if (csrf !== null) access.set("held");
}

/** The server no longer knows the session. */
export function accessEnded(): void {
  token = null;
  access.set("ended");
}
