import { randomBytes } from "node:crypto";
import { type Audit, type AuditOrigin, auditEvent } from "../audit.js";
import { createKeyedHash, type SecretHashKeys } from "../keyed-hash.js";
import type { RegistrationToken, RegistrationTokenStore } from "../ports/client-store.js";
import { REGISTRATION_TOKEN_PREFIX, REGISTRATION_TOKEN_PURPOSE } from "../registration-endpoint.js";
import { isUuid, type RandomBytes, uuidV7 } from "../uuid.js";

/** An initial access token as it may be shown. */
export type RegistrationTokenInfo = Omit<RegistrationToken, "token_hash">;

/** Administration of initial access tokens (RFC 7591 §3), which clients need to register when `registration` is `token`. */
export interface RegistrationTokens {
  /** The token is returned only here. */
  create(
    request: { readonly name: string; readonly days: number },
    by?: AuditOrigin,
  ): Promise<{ registration_token: RegistrationTokenInfo; token: string }>;
  /** Tokens that have not expired, oldest first. */
  list(): Promise<readonly RegistrationTokenInfo[]>;
  /** Clients registered with the token stay registered. Returns false when there is no such token. */
  revoke(tokenId: string, by?: AuditOrigin): Promise<boolean>;
}

/** Creates the administration on top of a store. Throws `bad_configuration` for invalid keys. */
export function createRegistrationTokens(options: {
  readonly store: RegistrationTokenStore;
  /** The same as the authorization server's. */
  readonly secretHashKeys: SecretHashKeys;
  readonly clock: () => Date;
  readonly random?: RandomBytes;
  readonly audit: Audit;
}): RegistrationTokens {
  const { store, clock, random = randomBytes, audit } = options;
  const hash = createKeyedHash(options.secretHashKeys);
  return {
    async create({ name, days }, by) {
      const created_at = clock();
      const token = `${REGISTRATION_TOKEN_PREFIX}${Buffer.from(random(32)).toString("base64url")}`;
      const registration_token = {
        token_id: uuidV7(created_at, random),
        name,
        created_at,
        expires_at: new Date(created_at.getTime() + days * 24 * 3600 * 1000),
      };
      await store.addRegistrationToken({
        ...registration_token,
        token_hash: hash.hash(REGISTRATION_TOKEN_PURPOSE, token),
      });
      const { token_id } = registration_token;
      audit(auditEvent({ action: "registration_token.created", at: created_at, detail: token_id, ...by }));
      return { registration_token, token };
    },
    async list() {
      return (await store.listRegistrationTokens(clock())).map(({ token_hash: _, ...info }) => info);
    },
    async revoke(tokenId, by) {
      const removed = isUuid(tokenId) && (await store.removeRegistrationToken(tokenId));
      if (removed) audit(auditEvent({ action: "registration_token.revoked", at: clock(), detail: tokenId, ...by }));
      return removed;
    },
  };
}
