import type {
  Approval,
  CodeStore,
  Denial,
  Redemption,
  RedemptionRefusal,
  RememberedCredentialsStore,
  RequestAnswer,
} from "../ports/authorization-store.js";
import { lacksKey, mayApprove, storeGrant } from "./memory-grants.js";
import { type AnswerRow, endGrants, type MemoryTables } from "./memory-tables.js";

/** Answers to authorization requests and their codes in memory. */
export function memoryCodes(tables: MemoryTables): CodeStore {
  return {
    async answerRequest(answer): Promise<RequestAnswer> {
      if (answer.decision === "approved" && !mayApprove(tables, answer)) return { decision: "not_allowed" };
      const known = tables.answers.get(answer.request_id);
      const row = known ?? { answer, redeemed_as: null };
      tables.answers.set(answer.request_id, row);
      const first = known === undefined;
      return row.answer.decision === "denied"
        ? { decision: "denied", first }
        : { decision: "approved", first, settled: row.redeemed_as !== null || isOther(row.answer, answer) };
    },
    async redeemCode(redemption) {
      const row = tables.answers.get(redemption.request_id);
      const approval = row?.answer.decision === "approved" ? row.answer : undefined;
      const reason = refusal(tables, row, approval, redemption);
      if (!row || !approval || (reason && reason !== "reused"))
        return { outcome: "refused", reason: reason ?? "unknown", grant: null };
      if (reason) {
        endGrants(tables, redemption.at, (grant) => grant.grant_id === row.redeemed_as);
        return { outcome: "refused", reason, grant: tables.grants.get(row.redeemed_as ?? "")?.grant ?? null };
      }
      const { tenant_id, application_id, client_id, secret_id, scopes, person, client_refs } = approval;
      const audience = redemption.audience ?? approval.audience;
      const { dpop_jkt, at: created_at } = redemption;
      const facts = { tenant_id, application_id, client_id, secret_id, scopes, audience, dpop_jkt, created_at };
      row.redeemed_as = redemption.grant.grant_id;
      const grant = { ...redemption.grant, ...facts, flow: "browser" } as const;
      const by = { client_refs, person_id: person?.person_id ?? null };
      return { outcome: "redeemed", grant: storeGrant(tables, grant, redemption.is_confidential, by) };
    },
    async reapAnswers(expiredBefore, limit) {
      const old = [...tables.answers].filter(([, { answer }]) => answer.expires_at < expiredBefore).slice(0, limit);
      for (const [id] of old) tables.answers.delete(id);
      return old.length;
    },
  };
}

function isOther(kept: Approval, answer: Approval | Denial): boolean {
  return answer.decision === "approved" && kept.code_hash !== answer.code_hash;
}

function refusal(
  tables: MemoryTables,
  row: AnswerRow | undefined,
  approval: Approval | undefined,
  redemption: Redemption,
): RedemptionRefusal | null {
  if (!row || approval?.code_hash !== redemption.code_hash) return "unknown";
  if (approval.client_id !== redemption.client_id) return "other_client";
  if (approval.redirect_uri !== redemption.redirect_uri) return "mismatch";
  if (approval.code_challenge !== redemption.code_challenge) return "mismatch";
  if (approval.dpop_jkt !== null && approval.dpop_jkt !== redemption.dpop_jkt) return "mismatch";
  if (row.redeemed_as !== null) return "reused";
  if (approval.expires_at <= redemption.at) return "expired";
  if (redemption.audience?.some((one) => !approval.audience.includes(one))) return "audience";
  const person = approval.person && { person_id: approval.person.person_id };
  return mayApprove(tables, { ...approval, person }) && !lacksKey(tables, redemption) ? null : "not_allowed";
}

/** Remembered credentials in memory. */
export function memoryRememberedCredentials(tables: MemoryTables): RememberedCredentialsStore {
  return {
    async rememberCredentials(remembered) {
      const application = tables.applications.get(remembered.application_id);
      if (!application?.secrets.some((secret) => secret.secret_id === remembered.secret_id)) return false;
      tables.remembered.set(remembered.cookie_hash, remembered);
      return true;
    },
    async findRemembered(cookieHash, at) {
      const found = tables.remembered.get(cookieHash);
      const application = found && tables.applications.get(found.application_id);
      const live = application?.secrets.some((secret) => secret.secret_id === found?.secret_id);
      return found && live && found.expires_at > at ? found : null;
    },
    async forgetRemembered(cookieHash) {
      tables.remembered.delete(cookieHash);
    },
    async reapRemembered(at, limit) {
      const over = [...tables.remembered].filter(([, { expires_at }]) => expires_at < at).slice(0, limit);
      for (const [hash] of over) tables.remembered.delete(hash);
      return over.length;
    },
  };
}
