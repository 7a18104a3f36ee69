import { contentVersion, ifVersion, invalidValue, versionConflict } from "@org/core";
import { type Finding, ok, warn } from "@org/installation";
import {
  type IssuerKeyCheck,
  OAuthError,
  type TrustedIssuers as OAuthTrustedIssuers,
  type TrustedIssuer,
} from "@org/oauth-server";
import type { TrustedIssuerOperations } from "@org/rest-api";
import { originOf, refusedAsCore } from "./oauth-administration.js";

/** Maximum number of issuers whose keys an examination reads, since each may take some seconds. */
const MAX_EXAMINED = 20;

/**
 * Lets operators choose the issuers whose assertions about people are accepted. The authorization server stores the choice; it and the REST API
 * do not depend on each other.
 */
export function trustedIssuers(issuers: OAuthTrustedIssuers) {
  const service: TrustedIssuerOperations = {
    list: async () => (await issuers.list()).map(viewOf),
    async trust(operator, { version, ...wish }) {
      const replaces = version === undefined ? undefined : await trustSeen(wish.issuer, version);
      const request = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));
      const kept = await asCore(() =>
        issuers.trust(request as Parameters<typeof issuers.trust>[0], originOf(operator), replaces),
      );
      return { trusted_issuer: viewOf(kept.trusted), found: keysOf(kept.look), grants_ended: kept.ended };
    },
    async test(issuer) {
      const { trusted, look } = await asCore(() => issuers.look(issuer));
      return { trusted_issuer: viewOf(trusted), found: keysOf(look) };
    },
    async withdraw(operator, issuer) {
      const { ended } = await asCore(() => issuers.withdraw(issuer, originOf(operator)));
      return { grants_ended: ended };
    },
  };
  return { service, check };

  /** The id of the trust that has this version. @throws CoreError CONFLICT when it no longer exists */
  async function trustSeen(issuer: string, version: number): Promise<string | null> {
    const there = (await issuers.list()).find((trusted) => trusted.issuer === issuer) ?? null;
    if (ifVersion(version, versionIn)?.(there) === false) throw versionConflict("trust", version);
    return there?.trust_id ?? null;
  }

  async function check(): Promise<readonly Finding[]> {
    const all = await issuers.list();
    if (all.length === 0) return [];
    const examined = all.slice(0, MAX_EXAMINED);
    const faults = await Promise.all(
      examined.map(({ issuer }) =>
        issuers.look(issuer).then(
          () => [],
          (error: unknown) => [`${issuer}: ${error instanceof OAuthError ? error.message : "cannot be examined"}`],
        ),
      ),
    );
    const found = faults.flat();
    return [
      found.length === 0
        ? ok("trusted issuers", `${all.length} identity providers are trusted, ${examined.length} of them examined`)
        : warn("trusted issuers", found.join("; ").slice(0, 1_000), "wealth-connect trusted-issuers test ISSUER"),
    ];
  }
}

const asCore = refusedAsCore(
  { invalid_trust: "VALIDATION_ERROR", untrusted_issuer: "NOT_FOUND", issuer_conflict: "CONFLICT" },
  ({ issues, message }, code) => {
    if (issues.some(({ path }) => path === "replaces")) {
      const { details = [], message: words } = versionConflict("trust");
      return { details, message: words, reason: "changed_meanwhile" };
    }
    const details = issues.map((issue) => invalidValue(issue.path, issue.message));
    if (code === "VALIDATION_ERROR" && details.length === 0) details.push(invalidValue("issuer", message));
    const [first] = issues;
    const reason = code === "CONFLICT" && { reason: "issuer_taken" as const };
    return { details, ...reason, message: first ? `${first.path}: ${first.message}` : message };
  },
);

function keysOf({ jwks_uri, keys }: IssuerKeyCheck) {
  return { jwks_uri, keys: [...keys] };
}

function versionIn({ trust_id }: Pick<TrustedIssuer, "trust_id">): number {
  return contentVersion(trust_id);
}

function viewOf({ created_at, changed_at, jwks, ...trusted }: TrustedIssuer) {
  return {
    ...trusted,
    jwks: jwks && { keys: [...jwks.keys] },
    algorithms: [...trusted.algorithms],
    client_ids: [...trusted.client_ids],
    rules: trusted.rules.map((rule) => ({ ...rule, scopes: [...rule.scopes] })),
    created_at: created_at.toISOString(),
    changed_at: changed_at.toISOString(),
    version: versionIn(trusted),
  };
}
