import { createStored } from "../shell/stored.js";

/** Whether this tab has a session. `ended`: the session or the person's access has ended, and the screen is hidden until they sign in. */
export const access = createStored<"held" | "ended">("held");

let token: string | null = null;

/** The CSRF token, which proves that this page requested a change. */
export function csrfToken(): string | null {
  return token;
}

/** Stores the session's CSRF token. */
export function accessHeld(csrf: string | null): void {
  token = csrf;
  if (csrf !== null) access.set("held");
}

/** The server no longer knows the session. */
export function accessEnded(): void {
  token = null;
  access.set("ended");
}
