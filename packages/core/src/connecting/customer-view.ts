import type { AccessTerms, BankProvider, CredentialField } from "@org/provider-kit";
import { type Connectors, connectorView } from "../catalogue/connectors.js";
import type { Runtime } from "../ports/runtime.js";
import { fieldsOf, type ProviderDirectory, termsOf } from "../providers/provider-directory.js";
import type { CatalogueConnector, ConnectorView } from "../schemas/connector.js";
import type { SessionErrorCode, SessionLanguage, SessionRemark, SessionStatus } from "../schemas/session.js";
import type { OwnProfile } from "../tenants/tenant-profile-store.js";
import { isOpen, MAX_ATTEMPTS, statusAt } from "./session-moves.js";
import { canPoll, createSessionSteps, isChallenged } from "./session-steps.js";
import type { SessionChallenge, SessionRecord } from "./session-store.js";
import { hashOfSecret } from "./sessions.js";

/** Who requests the customer's data: the tenant that opened the session, from its profile. */
export interface Requester {
  /** Its display name, else the tenant's name. */
  readonly name: string;
  readonly legal_name: string | null;
  /** An https link. */
  readonly privacy_url: string | null;
  /** An e-mail address or an https link. */
  readonly support_contact: string | null;
  /** Its path below `PUBLIC_URL`, and its size in pixels. */
  readonly logo: { readonly path: string; readonly width: number; readonly height: number } | null;
}

/** What a browser that opens a `widget_url` may see. */
export type CustomerView =
  /** The link does not exist, or no longer does. */
  | { readonly kind: "unknown" }
  /** Open and not claimed: any browser can become the owner with Continue. */
  | {
      readonly kind: "unclaimed";
      /** The language that the program asked for; null = what the browser prefers. */
      readonly language: SessionLanguage | null;
      readonly requester: Requester;
      /** Name of the bank, if the program that opened the session fixed one. */
      readonly bank: string | null;
      /** What the bank's provider says of the login and the data; null if it says nothing, or if no bank is fixed. */
      readonly terms: AccessTerms | null;
      /** Whether an existing connection gets a new login. */
      readonly relogin: boolean;
      readonly privacy_notice: string | null;
    }
  /** Claimed by another browser, or finished and opened by a browser that does not own it. */
  | { readonly kind: "taken"; readonly language: SessionLanguage | null; readonly requester: Requester }
  /** This browser's session. */
  | {
      readonly kind: "owned";
      readonly language: SessionLanguage | null;
      readonly requester: Requester;
      readonly status: SessionStatus;
      readonly error_code: SessionErrorCode | null;
      readonly remark: SessionRemark | null;
      readonly relogin: boolean;
      /** Null until the customer has chosen a bank. */
      readonly connector: ConnectorView | null;
      /** What its provider says of the login and the data; null if it says nothing. */
      readonly terms: AccessTerms | null;
      /** The login fields of the bank; empty if there is no bank yet, or if the bank goes straight to its first step. */
      readonly credential_fields: readonly CredentialField[];
      /** True if the program that opened the session fixed the bank, so that the customer cannot choose another. */
      readonly connector_fixed: boolean;
      readonly challenge: SessionChallenge | null;
      /** Whether the bank may change or end the challenge on its own while the page is open. */
      readonly follows_bank: boolean;
      readonly attempts_left: number;
      /** Where the browser goes at the end, with `session_id` appended; null = "you can close this page". Set once finished. */
      readonly return_url: string | null;
      readonly expires_at: string;
    };

/** Builds the customer's views of sessions, and looks up their banks. */
export function createCustomerViews(deps: {
  connectors: Connectors;
  providers: ProviderDirectory;
  runtime: Pick<Runtime, "clock" | "vault">;
}) {
  const { connectors, providers } = deps;
  const { clock } = deps.runtime;
  const steps = createSessionSteps(deps.runtime);
  return { viewFor, bankOf, credentialFieldsOf, providerOf };

  /** @param found the session of the link, with the profile of its tenant; null = there is none */
  async function viewFor(
    found: { readonly tenant_id: string; readonly session: SessionRecord; readonly profile: OwnProfile } | null,
    owner: string | null,
  ): Promise<CustomerView> {
    if (!found) return { kind: "unknown" };
    const { session, tenant_id } = found;
    const requester = requesterOf(found.profile);
    if (session.owner_hash === null && isOpen(statusAt(session, clock())))
      return unclaimedView(tenant_id, session, requester);
    return owns(session, owner)
      ? ownedView(tenant_id, session, requester)
      : { kind: "taken", language: session.language, requester };
  }

  async function unclaimedView(tenantId: string, session: SessionRecord, requester: Requester): Promise<CustomerView> {
    const { language, relogin, privacy_notice } = session;
    const connector = await bankOf(session);
    const terms = connector && termsOf(providers, connector, tenantId);
    return { kind: "unclaimed", language, requester, bank: connector?.name ?? null, terms, relogin, privacy_notice };
  }

  async function ownedView(tenantId: string, session: SessionRecord, requester: Requester): Promise<CustomerView> {
    const status = statusAt(session, clock());
    const connector = await bankOf(session, tenantId);
    return {
      kind: "owned",
      language: session.language,
      requester,
      status,
      error_code: status === "Finished:Expired" ? "SessionExpired" : session.error_code,
      remark: session.remark,
      relogin: session.relogin,
      connector: connector && connectorView(connector),
      terms: connector && termsOf(providers, connector, tenantId),
      credential_fields: connector === null ? [] : credentialFieldsOf(connector, tenantId),
      connector_fixed: session.connector_filter === null,
      challenge: await steps.challengeOf(session),
      follows_bank: isChallenged(session) && canPoll(connector && providers.for(connector, tenantId)),
      attempts_left: MAX_ATTEMPTS - session.attempts,
      return_url: isOpen(status) ? null : returnUrl(session),
      expires_at: session.expires_at.toISOString(),
    };
  }

  /** Returns the bank of a session; null if there is none yet. */
  async function bankOf({ connector_id }: SessionRecord, tenantId?: string): Promise<CatalogueConnector | null> {
    return connector_id === null ? null : connectors.find(connector_id, tenantId);
  }

  /** Returns the login fields of a bank. */
  function credentialFieldsOf(connector: CatalogueConnector, tenantId: string): readonly CredentialField[] {
    return fieldsOf(providers, connector, tenantId);
  }

  /** Returns the provider for the bank of a session; null if there is no bank yet. */
  async function providerOf(session: SessionRecord, tenantId: string): Promise<BankProvider | null> {
    const connector = await bankOf(session);
    return connector && providers.for(connector, tenantId);
  }
}

/** Returns whether this is the secret of the browser that claimed the session. */
export function owns(session: SessionRecord, owner: string | null): boolean {
  return owner !== null && session.owner_hash !== null && session.owner_hash === hashOfSecret(owner);
}

/** Returns the requester that a page names. */
export function requesterOf({
  name,
  display_name,
  legal_name,
  privacy_url,
  support_contact,
  logo,
}: OwnProfile): Requester {
  return {
    name: display_name ?? name,
    legal_name,
    privacy_url,
    support_contact,
    logo: logo && { path: `/logos/${logo.sha256}`, width: logo.width, height: logo.height },
  };
}

function returnUrl(session: SessionRecord): string | null {
  if (session.redirect_url === null) return null;
  const url = new URL(session.redirect_url);
  url.searchParams.append("session_id", session.session_id);
  return url.href;
}
