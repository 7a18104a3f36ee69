import type { ConnectorFilter } from "@org/connector-filter";
import { alpha3Of } from "@org/connector-filter/countries";
import type { AccessTerms, BankProvider, CredentialField } from "@org/provider-kit";
import { type Connectors, connectorView } from "../catalogue/connectors.js";
import type { Runtime } from "../ports/runtime.js";
import { type ProviderDirectory, termsOf } from "../providers/provider-directory.js";
import { type CatalogueConnector, type ConnectorView, DATAFEED_TYPE } from "../schemas/connector.js";
import { type Page, toPage } from "../schemas/paging.js";
import type { SessionErrorCode, SessionLanguage, SessionRemark, SessionStatus } from "../schemas/session.js";
import { searchKey } from "../search-key.js";
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
    const { id: connector_id, provider_ref } = connector;
    return (
      providers.for(connector, tenantId)?.credentialFields?.({ connector_id, provider_ref }) ?? [
        { name: "username" },
        { name: "password" },
      ]
    );
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

/** A bank customer's search. */
export interface BankSearch {
  /** Part of a name; case and accents do not matter. Null = any name. */
  readonly name: string | null;
  /** Lower-case ISO 3166-1 alpha-3 code; null = any country. */
  readonly country: string | null;
  /** Where the customer may be, likeliest first, as lower-case alpha-3 codes; banks there are listed first. */
  readonly near: readonly string[];
  /** From 1. */
  readonly page: number;
}

/** A page of the banks that a session offers: those in the customer's country first, then in catalogue order. */
export interface BanksFound extends Page<ConnectorView> {
  /** Countries of all offered banks, not only of those found. */
  readonly countries: readonly string[];
  /** The customer's country, if banks are offered there; null = no country is likelier than others. */
  readonly home: string | null;
}

/** The banks that a filter allows, prepared for searching, in catalogue order. */
interface Offer {
  readonly banks: readonly CatalogueConnector[];
  /** Search keys of the names, at the same indexes as `banks`. */
  readonly names: readonly string[];
  readonly countries: readonly string[];
  /** The countries that the filter names, in its order: whoever wrote the filter has customers there. */
  readonly named: readonly string[];
}

const BANKS_OF_A_PAGE = 50;
/** Filters whose offers are cached; each program has few. */
const KEPT_OFFERS = 32;

interface KeptOffer {
  readonly offer: Offer;
  /** The tenant that requested it last; it counts towards their share. */
  readonly tenantId: string;
}

/**
 * Searches the banks that a session offers: those that a preview of its filter shows.
 * An offer is prepared once per catalogue and filter, because a person who types searches again with every key: at 40,000 banks a
 * search then takes about a millisecond. A tenant with very many filters evicts its own offers, not those of others.
 */
export function createBankOffers(deps: { connectors: Connectors }) {
  /** Offers by the catalogue they were made from; every change of availability makes a new catalogue. */
  const offers = new WeakMap<readonly CatalogueConnector[], Map<string, KeptOffer>>();
  /** Search key of each bank's name, which is most of the work of preparing an offer. */
  const searchKeys = new WeakMap<CatalogueConnector, string>();

  return {
    async search(
      filter: ConnectorFilter | null,
      tenantId: string,
      { name, country, near, page }: BankSearch,
    ): Promise<BanksFound> {
      const offer = await offered(filter, tenantId);
      const needle = name === null ? "" : searchKey(name);
      const matches =
        needle === "" && country === null
          ? offer.banks
          : offer.banks.filter(
              (bank, index) =>
                (country === null || bank.countries.includes(country)) &&
                (needle === "" || offer.names[index]?.includes(needle)),
            );
      const home = homeIn(offer, near);
      const rows = homeFirst(matches, home).slice((page - 1) * BANKS_OF_A_PAGE, page * BANKS_OF_A_PAGE);
      return {
        ...toPage(rows.map(connectorView), matches.length, page, BANKS_OF_A_PAGE),
        countries: offer.countries,
        home,
      };
    },
    async has(filter: ConnectorFilter | null, tenantId: string, connectorId: string): Promise<boolean> {
      const { banks } = await offered(filter, tenantId);
      // Data feeds are connected by letter.
      return banks.some(({ id, type }) => id === connectorId && type !== DATAFEED_TYPE);
    },
  };

  async function offered(filter: ConnectorFilter | null, tenantId: string): Promise<Offer> {
    const all = await deps.connectors.all(tenantId);
    const kept = offers.get(all) ?? new Map<string, KeptOffer>();
    offers.set(all, kept);
    const key = JSON.stringify(filter);
    const offer = kept.get(key)?.offer ?? prepare(await deps.connectors.allowedBy(filter, tenantId), filter);
    kept.delete(key);
    kept.set(key, { offer, tenantId });
    if (kept.size > KEPT_OFFERS) kept.delete(dispensable(kept));
    return offer;
  }

  function prepare(banks: readonly CatalogueConnector[], filter: ConnectorFilter | null): Offer {
    const countries = [...new Set(banks.flatMap((bank) => bank.countries))].sort();
    return {
      banks,
      names: banks.map(searchKeyOf),
      countries,
      named: countriesNamedBy(filter).filter((country) => countries.includes(country)),
    };
  }

  function searchKeyOf(bank: CatalogueConnector): string {
    const known = searchKeys.get(bank);
    if (known !== undefined) return known;
    const made = searchKey(bank.name);
    searchKeys.set(bank, made);
    return made;
  }
}

/** Returns the key of the least recently used offer of the tenants that have the most. */
function dispensable(kept: ReadonlyMap<string, KeptOffer>): string {
  const shares = new Map<string, number>();
  for (const { tenantId } of kept.values()) shares.set(tenantId, (shares.get(tenantId) ?? 0) + 1);
  const largest = Math.max(...shares.values());
  return [...kept].find(([, { tenantId }]) => shares.get(tenantId) === largest)?.[0] as string;
}

/** Returns the countries that a filter includes by name, in its order. */
function countriesNamedBy(filter: ConnectorFilter | null): readonly string[] {
  const included = filter?.rules.filter(({ action, field }) => action === "include" && field === "countries") ?? [];
  return included.flatMap(({ value }) => [value].flat()).flatMap((text) => alpha3Of(text) ?? []);
}

/**
 * Returns the customer's likeliest country where banks are offered. If the filter names countries, only these count, and the first
 * is the default.
 */
function homeIn({ countries, named }: Offer, near: readonly string[]): string | null {
  const candidates = named.length > 0 ? named : countries;
  return near.find((country) => candidates.includes(country)) ?? named[0] ?? null;
}

function homeFirst(banks: readonly CatalogueConnector[], home: string | null): readonly CatalogueConnector[] {
  if (home === null) return banks;
  const atHome = (bank: CatalogueConnector) => bank.countries.includes(home);
  return [...banks.filter(atHome), ...banks.filter((bank) => !atHome(bank))];
}
