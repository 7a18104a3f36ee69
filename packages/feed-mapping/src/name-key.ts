/** No column has a longer name. Normalising combining marks piled up on one letter takes quadratic time (UAX #15 §3.11). */
const MAX_NAME_LENGTH = 1_000;

/** Column names are compared without regard to case and spaces. */
export function nameKey(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();
}
