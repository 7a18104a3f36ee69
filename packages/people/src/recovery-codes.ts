import type { Runtime } from "@org/core";

/** Number of codes of a person. */
const RECOVERY_CODES = 10;

/** Letters and digits that are not easily confused (Crockford's base 32). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Creates codes to write down, 80 bits each: `k3wz-7h2n-0pqr-v9tx`. */
export function newRecoveryCodes(runtime: Pick<Runtime, "newSecret">): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...Buffer.from(runtime.newSecret(), "base64url").subarray(0, 16)].map(
      (byte) => ALPHABET[byte % 32],
    );
    return (letters.join("").match(/.{4}/g) as string[]).join("-");
  });
}

/** The stored hash of a person's code. It does not depend on how the code is written. */
export function recoveryHash(runtime: Pick<Runtime, "mac">, email: string, code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
  return runtime.mac("people", `recovery ${email} ${plain}`);
}
