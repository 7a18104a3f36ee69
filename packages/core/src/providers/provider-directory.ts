import type { AccessTerms, BankProvider, CredentialField } from "@org/provider-kit";

/** The part of a catalogue row that determines its provider. */
export interface ServedConnector {
  readonly id?: string;
  readonly provider: string;
  /** If omitted, it is ignored: for a connection whose catalogue row is gone. */
  readonly provider_ref?: string | null;
}

/**
 * The providers of this server, each under a tenant's own settings, or else the installation's. Answers come from memory, which is
 * at most a few seconds old. A provider that is not loaded, has no settings or did not start is absent.
 */
export interface ProviderDirectory {
  /** Returns the provider of a connector for a tenant; null = there is none now. With a null tenant the installation's settings apply. */
  for(connector: ServedConnector, tenantId: string | null): BankProvider | null;
  /** Returns the provider under the tenant's own settings, regardless of the installation's. */
  ownOf(name: string, tenantId: string): BankProvider | null;
  /** Returns the tenants with their own settings for it, valid or not; whatever affects the installation's provider does not affect them. */
  owners(name: string): readonly string[];
  /** Names of the loaded providers, in the order in which `PROVIDERS` names them. */
  readonly names: readonly string[];
  /** Returns whether a provider of this name is loaded, with or without settings. */
  has(name: string): boolean;
  /** Returns whether a tenant, or (null) any tenant, can connect this connector. */
  serves(connector: ServedConnector, tenantId: string | null): boolean;
  /**
   * Returns the result of {@link serves} for all connectors as a string: equal for tenants with the same available connectors, and
   * different once these change.
   */
  offering(tenantId: string | null): string;
}

/**
 * Returns what the provider of a connector says of the login and the data; null if it says nothing, or nothing that can be used: no page
 * and no list fails for it.
 */
export function termsOf(
  providers: Pick<ProviderDirectory, "for">,
  connector: Required<ServedConnector>,
  tenantId: string,
): AccessTerms | null {
  const { id: connector_id, provider_ref } = connector;
  try {
    return providers.for(connector, tenantId)?.terms?.({ connector_id, provider_ref }) ?? null;
  } catch {
    return null;
  }
}

/** Returns the login fields of a connector; none if its login takes place elsewhere. */
export function fieldsOf(
  providers: Pick<ProviderDirectory, "for">,
  connector: Required<ServedConnector>,
  tenantId: string,
): readonly CredentialField[] {
  const { id: connector_id, provider_ref } = connector;
  return (
    providers.for(connector, tenantId)?.credentialFields?.({ connector_id, provider_ref }) ?? [
      { name: "username" },
      { name: "password" },
    ]
  );
}
