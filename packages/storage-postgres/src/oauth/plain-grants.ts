import { batcher } from "@org/admission";
import type { NewGrant, Rotation } from "@org/oauth-server";
import { StorageError } from "../storage-error.js";
import type { Transactions } from "../transactions.js";
import type { GrantJson } from "./stored-grant.js";

/** A new grant as its row. */
type GrantRow = Omit<NewGrant, "refresh_token_hash"> & {
  readonly refresh_expires_at: Date;
  readonly last_issued_at: Date;
  readonly token_hash: string;
};

/**
 * Issues grants and exchanges refresh tokens of many callers with one statement. It handles the plain cases: null means that this request has to
 * be made separately, because it is refused, a row it needs is locked, or another request made the statement fail.
 * @throws StorageError to every caller in the statement
 */
export function plainGrants({ statement }: Pick<Transactions, "statement">) {
  const issue = batcher(async (rows: readonly GrantRow[]) => {
    const answers = await ask<[string]>("issue_grants", "select issue_grants($1)", rows);
    const issued = new Set(answers.map(([grantId]) => grantId));
    return rows.map(({ grant_id }) => (issued.has(grant_id) ? "issued" : null));
  });

  const rotate = batcher(async (rotations: readonly Rotation[]) => {
    const text = "select kept from rotate_refresh_tokens($1)";
    try {
      const answers = await ask<[GrantJson]>("rotate_refresh_tokens", text, rotations);
      const rotated = new Map(answers.map(([kept]) => [kept.grant_id, kept]));
      return rotations.map(({ grant_id }) => rotated.get(grant_id) ?? null);
    } finally {
      for (const { grant_id } of rotations) rotating.delete(grant_id);
    }
  });
  /** Grants whose tokens are being exchanged. A second exchange of the same grant runs separately and waits for the first in the database. */
  const rotating = new Set<string>();

  function ask<Row extends unknown[]>(name: string, text: string, asked: readonly object[]): Promise<readonly Row[]> {
    const answers = statement<Row>({ name, text, values: [JSON.stringify(asked)], rowMode: "array" });
    return answers.catch((error: unknown) => {
      if (error instanceof StorageError) throw error;
      return [];
    });
  }

  return {
    issue,
    /** Null at once while another token of the grant is being exchanged. */
    rotate(rotation: Rotation): Promise<GrantJson | null> | null {
      const { grant_id } = rotation;
      if (rotating.has(grant_id)) return null;
      rotating.add(grant_id);
      return rotate(rotation);
    },
  };
}
