import type { z } from "zod";
import type { HttpClient } from "./http-client.js";
import type { Pace } from "./pace.js";
import type { BankProvider, ConnectorOfProvider } from "./port.js";

/** Names of providers: lower-case letters, digits and hyphens, at most 40, beginning with a letter. */
export const providerName = /^[a-z][a-z0-9-]{0,39}$/;

/** A row that a provider proposes for the catalogue; what it adds is kept as the row's metadata. `provider` is filled in. */
export interface ProviderConnector {
  /** `<country>:<name>` */
  readonly id: string;
  readonly name: string;
  readonly country?: string;
  readonly countries?: readonly string[];
  readonly type?: string;
  /** The provider's own name for it, handed back with every call. */
  readonly provider_ref?: string;
  readonly [more: string]: unknown;
}

/** Where a provider may write what helps its operator: no secret, nothing of a customer. */
export interface ProviderLog {
  info(message: string, facts?: Readonly<Record<string, string | number | boolean | null>>): void;
  warn(message: string, facts?: Readonly<Record<string, string | number | boolean | null>>): void;
}

/** What a provider gets from the server. */
export interface ProviderServices {
  /** Limited to the hosts of the settings. */
  readonly http: HttpClient;
  readonly clock: () => Date;
  /** So many unguessable bytes, for nonces and code verifiers. */
  readonly random: (bytes: number) => Uint8Array;
  /** Waits; rejects as soon as the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: ProviderLog;
  readonly pace: Pace;
}

/** What comes of asking an institution whether settings are good. */
export interface CheckResult {
  readonly ok: boolean;
  /** For the operator, without a secret. */
  readonly message?: string;
}

/** A way to banks, before it has settings. The default export of a provider's module; made by {@link defineProvider}. */
export interface ProviderDefinition<Schema extends z.ZodType = z.ZodType> {
  /** Unique in an installation; the `provider` of catalogue rows. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What `providers set` takes, as a zod schema; secrets in it are {@link secret}. */
  readonly settings: Schema;
  /** Rows for the catalogue; `wealth-connect providers sync` imports them. */
  connectors?(
    settings: z.output<Schema>,
    services: { readonly http: HttpClient; readonly signal: AbortSignal },
  ): readonly ProviderConnector[] | Promise<readonly ProviderConnector[]>;
  /** Whether settings are good, by a cheap call: for `providers test`. Throws, or answers `ok: false`, where they are not. */
  check?(request: {
    readonly settings: z.output<Schema>;
    readonly http: HttpClient;
    readonly signal: AbortSignal;
    // biome-ignore lint/suspicious/noConfusingVoidType: a check that has nothing to say returns nothing.
  }): Promise<CheckResult | void>;
  /** Why these settings may be those of one tenant only; null = they may be the installation's. */
  tenantOnly?(settings: z.output<Schema>): string | null;
  /** Hosts that may be called, with their port where it is not the scheme's. Left out: those of all URLs anywhere in the settings. */
  hosts?(settings: z.output<Schema>): readonly string[];
  /** Whether a row of the catalogue is served under these settings. Left out: every row of the provider is. */
  serves?(settings: z.output<Schema>, connector: ConnectorOfProvider): boolean;
  /** The provider under these settings, within ten seconds. */
  create(
    given: ProviderServices & { readonly settings: z.output<Schema> },
  ): Omit<BankProvider, "name"> | Promise<Omit<BankProvider, "name">>;
}

/**
 * Defines a provider, with the types of its settings.
 * @throws TypeError for a name that no catalogue row could have
 */
export function defineProvider<Schema extends z.ZodType>(
  definition: ProviderDefinition<Schema>,
): ProviderDefinition<Schema> {
  if (!providerName.test(definition.name))
    throw new TypeError(
      `a provider's name has lower-case letters, digits and hyphens, and begins with a letter: ${definition.name}`,
    );
  return definition;
}
