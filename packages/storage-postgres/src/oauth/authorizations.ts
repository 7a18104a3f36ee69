import type {
  Approval,
  CodeStore,
  Denial,
  RedemptionResult,
  RememberedCredentialsStore,
  RequestAnswer,
} from "@org/oauth-server";
import { sql } from "kysely";
import type { Transactions } from "../transactions.js";
import { type GrantJson, grantOf } from "./stored-grant.js";

/** Answers to authorization requests, and the codes made from them. */
export function codeQueries(
  { asAuth, statement }: Pick<Transactions, "asAuth" | "statement">,
  onEnding: () => void,
): CodeStore {
  return {
    async answerRequest(answer) {
      const [row] = await statement<[decision: RequestAnswer["decision"], first: boolean, settled: boolean]>({
        name: "answer_request",
        text: "select decision, is_first, is_settled from answer_request($1)",
        values: [JSON.stringify(isByPerson(answer) ? { ...answer, person_id: answer.person.person_id } : answer)],
        rowMode: "array",
      });
      const [decision, first, settled] = row as NonNullable<typeof row>;
      if (decision === "not_allowed") return { decision };
      return decision === "denied" ? { decision, first } : { decision, first, settled };
    },
    async redeemCode(redemption) {
      const [row] = await statement<[outcome: string, reason: string | null, kept: GrantJson | null]>({
        name: "redeem_code",
        text: "select outcome, reason, case when (kept).grant_id is not null then to_jsonb(kept) end from redeem_code($1)",
        values: [JSON.stringify(redemption)],
        rowMode: "array",
      });
      const [outcome, reason, kept] = row as NonNullable<typeof row>;
      // A code that comes a second time ends its grant.
      if (outcome !== "redeemed") onEnding();
      return { outcome, ...(reason !== null && { reason }), grant: kept && grantOf(kept) } as RedemptionResult;
    },
    reapAnswers: (expiredBefore, limit) =>
      asAuth(async (db) => {
        const old = db
          .selectFrom("authorization_answers")
          .select("request_id")
          .where("expires_at", "<", expiredBefore)
          .limit(limit)
          .forUpdate()
          .skipLocked();
        const result = await db.deleteFrom("authorization_answers").where("request_id", "in", old).executeTakeFirst();
        return Number(result.numDeletedRows);
      }),
  };
}

function isByPerson(answer: Approval | Denial): answer is Approval & { person: object } {
  return answer.decision === "approved" && answer.person !== null;
}

/** Sign-ins that browsers remember. */
export function rememberedCredentialsQueries({ asAuth }: Pick<Transactions, "asAuth">): RememberedCredentialsStore {
  return {
    rememberCredentials: (remembered) =>
      asAuth(async (db) => {
        const { numAffectedRows } = await sql`
          insert into remembered_credentials
            (remembered_id, cookie_hash, application_id, secret_id, sealed_credentials, created_at, expires_at)
          select ${remembered.remembered_id}, ${remembered.cookie_hash}, s.application_id, s.secret_id,
            ${remembered.sealed_credentials}, ${remembered.created_at}, ${remembered.expires_at}
          from application_secrets s
          where s.application_id = ${remembered.application_id} and s.secret_id = ${remembered.secret_id}
          for key share`.execute(db);
        return (numAffectedRows ?? 0n) > 0n;
      }),
    findRemembered: (cookieHash, at, network) =>
      asAuth(async (db) => {
        const row = await db
          .selectFrom("remembered_credentials")
          .selectAll()
          .where("cookie_hash", "=", cookieHash)
          .where("expires_at", ">", at)
          .executeTakeFirst();
        return row ?? null;
      }, network),
    forgetRemembered: (cookieHash, network) =>
      asAuth(async (db) => {
        await db.deleteFrom("remembered_credentials").where("cookie_hash", "=", cookieHash).execute();
      }, network),
    reapRemembered: (at, limit) =>
      asAuth(async (db) => {
        const over = db
          .selectFrom("remembered_credentials")
          .select("remembered_id")
          .where("expires_at", "<", at)
          .limit(limit);
        const result = await db
          .deleteFrom("remembered_credentials")
          .where("remembered_id", "in", over)
          .executeTakeFirst();
        return Number(result.numDeletedRows);
      }),
  };
}
