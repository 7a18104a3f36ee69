import type { BankProvider } from "@org/provider-kit";

/** What of a catalogue row says who serves it. */
export interface ServedConnector {
  readonly id?: string;
  readonly provider: string;
  /** Left out, it is not looked at: for a connection whose row is gone. */
  readonly provider_ref?: string | null;
}

/**
 * The providers of this server, each under the settings that a tenant has for it: its own, else the installation's. It answers from
 * memory, which is a few seconds old at most. A provider that is not loaded, has no settings or does not come up is not there.
 */
export interface ProviderDirectory {
  /** The way to a connector's bank for a tenant; null = there is none now. A null tenant has the installation's settings. */
  for(connector: ServedConnector, tenantId: string | null): BankProvider | null;
  /** The provider under a tenant's own settings, whatever the installation has. */
  ownOf(name: string, tenantId: string): BankProvider | null;
  /** Tenants with settings of their own for it, whatever they are good for: what concerns the installation's does not concern them. */
  owners(name: string): readonly string[];
  /** Whether a provider of this name is loaded, with settings or without. */
  has(name: string): boolean;
  /** Whether a connector can be connected by a tenant, or (null) by anybody. */
  serves(connector: ServedConnector, tenantId: string | null): boolean;
  /**
   * What {@link serves} says of all connectors, as a text: the same for tenants to whom the same ones are available, another one as soon
   * as that changes.
   */
  offering(tenantId: string | null): string;
}
