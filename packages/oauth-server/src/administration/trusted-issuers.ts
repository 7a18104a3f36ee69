import { randomBytes } from "node:crypto";
import { type Audit, type AuditOrigin, auditEvent } from "../audit.js";
import type { DocumentFetchOptions } from "../clients/fetch-document.js";
import { OAuthError } from "../oauth-error.js";
import type { OAuthStore } from "../ports/oauth-store.js";
import type { TrustedIssuer } from "../ports/trusted-issuer-store.js";
import { createIssuerKeys, type KeyView } from "../trusted-issuers/issuer-keys.js";
import { type RandomBytes, uuidV7 } from "../uuid.js";
import { parseTrustedIssuer, type TrustedIssuerRequest } from "./trusted-issuer-request.js";

/** The keys of an issuer, as just read. */
export interface IssuerKeyCheck {
  /** Where they were fetched from; null when the request contained them. */
  readonly jwks_uri: string | null;
  readonly keys: readonly KeyView[];
}

/** Administration of the identity providers whose assertions are accepted. */
export interface TrustedIssuers {
  /** Sorted by issuer. */
  list(): Promise<readonly TrustedIssuer[]>;
  /**
   * Reads the keys of an issuer, then trusts it or replaces its trust as a whole. Grants made before a change end. Throws
   * `invalid_trust` with every fault. Throws `issuer_conflict` when another owner trusts the issuer, when too many are trusted,
   * or when the current trust is not `replaces`: a `trust_id`, null for a new issuer, undefined for no check.
   */
  trust(
    request: TrustedIssuerRequest,
    by?: AuditOrigin,
    replaces?: string | null,
  ): Promise<{ readonly trusted: TrustedIssuer; readonly look: IssuerKeyCheck; readonly ended: number }>;
  /** Reads the keys of a trusted issuer now. Throws `untrusted_issuer`, or `invalid_trust` with what is wrong. */
  look(issuer: string): Promise<{ readonly trusted: TrustedIssuer; readonly look: IssuerKeyCheck }>;
  /** Stops trusting an issuer and ends the grants it vouched for; returns their number. Throws `untrusted_issuer`. */
  withdraw(issuer: string, by?: AuditOrigin): Promise<{ readonly ended: number }>;
}

/** Maximum number of issuers, because they are all read together. */
const MAX_TRUSTED_ISSUERS = 200;

/** Dependencies of the administration. */
export interface TrustedIssuersOptions {
  readonly store: Pick<OAuthStore, "trustedIssuers" | "applications">;
  readonly clock: () => Date;
  readonly random?: RandomBytes;
  readonly audit: Audit;
  /** Same as the authorization server's `issuerDocuments`. */
  readonly issuerDocuments?: DocumentFetchOptions | null;
}

/** Creates the administration on top of a store. */
export function createTrustedIssuers(options: TrustedIssuersOptions): TrustedIssuers {
  const { store, clock, random = randomBytes, audit, issuerDocuments = {} } = options;
  const keys = createIssuerKeys({ clock, fetching: issuerDocuments });

  /** A tenant's issuer may give access to that tenant's applications only; no issuer may give access to an operator's. */
  const requireApplications = async ({ rules, tenant_id }: TrustedIssuer) => {
    const owners = await store.applications.ownersOf([...new Set(rules.map(({ client_id }) => client_id))]);
    const issues = rules.flatMap(({ client_id }, index) => {
      const owner = owners.get(client_id);
      const isFit = owner && owner.tenant_id !== null && (tenant_id === null || owner.tenant_id === tenant_id);
      const whose = tenant_id === null ? "a tenant's application" : "an application of this tenant";
      return isFit ? [] : [{ path: `rules.${index}.client_id`, message: `must be ${whose}` }];
    });
    if (issues.length > 0)
      throw new OAuthError("invalid_trust", "the rules name applications that are not there", { issues });
  };
  const record = (
    action: "trusted_issuer.trusted" | "trusted_issuer.withdrawn",
    trusted: TrustedIssuer,
    by?: AuditOrigin,
  ) => audit(auditEvent({ action, at: clock(), tenant_id: trusted.tenant_id, detail: trusted.issuer, ...by }));

  return {
    list: () => store.trustedIssuers.listTrustedIssuers(),
    async trust(request, by, replaces) {
      const at = clock();
      const wished = { ...parseTrustedIssuer(request), trust_id: uuidV7(at, random), created_at: at, changed_at: at };
      await requireApplications(wished);
      const look = await keys.look(wished);
      const kept = await store.trustedIssuers.storeTrustedIssuer(wished, MAX_TRUSTED_ISSUERS, replaces);
      if (kept.outcome === "other_owner")
        throw new OAuthError("issuer_conflict", "another owner trusts this issuer: withdraw that first");
      if (kept.outcome === "full")
        throw new OAuthError("issuer_conflict", `${MAX_TRUSTED_ISSUERS} issuers at most: withdraw one first`);
      if (kept.outcome === "overtaken")
        throw new OAuthError("issuer_conflict", "the trust was changed by someone else meanwhile", {
          issues: [{ path: "replaces", message: "is of a trust that does not stand any more" }],
        });
      record("trusted_issuer.trusted", kept.trusted, by);
      return { trusted: kept.trusted, look, ended: kept.ended };
    },
    async look(issuer) {
      const trusted = (await store.trustedIssuers.listTrustedIssuers()).find((each) => each.issuer === issuer);
      if (!trusted) throw untrusted();
      return { trusted, look: await keys.look(trusted) };
    },
    async withdraw(issuer, by) {
      const removed = await store.trustedIssuers.removeTrustedIssuer(issuer, clock());
      if (!removed) throw untrusted();
      record("trusted_issuer.withdrawn", removed.trusted, by);
      return { ended: removed.ended };
    },
  };
}

function untrusted(): OAuthError {
  return new OAuthError("untrusted_issuer", "this issuer is not trusted");
}
