/** What the console keeps in the tab for whoever is signed in, such as letters that are still to be moved, begins so. */
const PERSONAL = "wealth-connect-console-";
const WHOSE = `${PERSONAL}person`;

/** Forgets what the tab keeps of a person. */
export function forgetPersonal(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PERSONAL)) sessionStorage.removeItem(key);
  } catch {
    // Without storage nothing was kept.
  }
}

/** Says whose tab this is now. Returns false, and forgets everything kept, if it was another person's. */
export function isStillTheirs(personId: string): boolean {
  try {
    const before = sessionStorage.getItem(WHOSE);
    const isTheirs = before === null || before === personId;
    if (!isTheirs) forgetPersonal();
    sessionStorage.setItem(WHOSE, personId);
    return isTheirs;
  } catch {
    return true;
  }
}
