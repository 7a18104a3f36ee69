import { startRegistration } from "@simplewebauthn/browser";
import { call } from "../api/call.js";

type NewKeyOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];

/**
 * Creates a person's first passkey. Returns their recovery codes, which are shown once. @param email for a person who enters it themselves; otherwise
 * empty
 */
export async function joinWithPasskey(invitation: string, name: string, email: string): Promise<readonly string[]> {
  const named = name.trim() === "" ? {} : { name: name.trim() };
  const addressed = email.trim() === "" ? {} : { email: email.trim() };
  const { options } = await call("/join/begin", { invitation, ...named, ...addressed });
  const answer = await startRegistration({ optionsJSON: options as NewKeyOptions });
  const { recovery_codes } = await call("/join/finish", { invitation, answer, ...named });
  return recovery_codes;
}

/** Creates another passkey for the signed-in person. */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await call("/passkeys/begin", {});
  const answer = await startRegistration({ optionsJSON: options as NewKeyOptions });
  await call("/passkeys/add", { answer, ...(name.trim() !== "" && { name: name.trim() }) });
}
