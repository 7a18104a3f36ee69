import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { call } from "../api/call.js";

type SignInOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** Why passkeys cannot be used here; null if they can. */
export function passkeysUnavailableReason(): "address" | "insecure" | "browser" | null {
  const { hostname } = location;
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith("[")) return "address";
  if (!isSecureContext) return "insecure";
  return browserSupportsWebAuthn() ? null : "browser";
}

/** Whether the browser offers passkeys in text fields. */
export function offersPasskeysInFields(): Promise<boolean> {
  return browserSupportsWebAuthnAutofill();
}

/** Ends when the latest sign-in has its options: the server knows what it last asked a browser. */
let begun: Promise<unknown> = Promise.resolve();
/** How many prompts are under way. An offer in a field gives way to them. */
let prompts = 0;

/**
 * Signs in with a passkey.
 * @param isQuiet waits for a passkey that the browser offers in a field, instead of prompting
 * @throws DOMException AbortError when an offer gives way to a prompt
 */
export async function signInWithPasskey(isQuiet = false): Promise<void> {
  if (!isQuiet) {
    prompts += 1;
    cancelPasskeyPrompt();
  }
  try {
    const asked = begun.then(() => call("/sign-in/begin", {}));
    begun = asked.catch(() => undefined);
    const { options } = await asked;
    if (isQuiet && prompts > 0) throw new DOMException("a prompt was begun", "AbortError");
    const answer = await startAuthentication({ optionsJSON: options as SignInOptions, useBrowserAutofill: isQuiet });
    await call("/sign-in/finish", { answer });
  } finally {
    if (!isQuiet) prompts -= 1;
  }
}

/** Re-authenticates with a passkey. */
export async function proveWithPasskey(): Promise<void> {
  const { options } = await call("/confirm/begin", {});
  await call("/confirm/finish", { answer: await startAuthentication({ optionsJSON: options as SignInOptions }) });
}

/** Cancels a pending passkey prompt of the browser. */
export function cancelPasskeyPrompt(): void {
  WebAuthnAbortService.cancelCeremony();
}

/** Whether the browser provided no passkey: the user cancelled, it took too long, or there is none. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");
}
