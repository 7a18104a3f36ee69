import type { z } from "zod";
import type { HttpClient } from "./http-client.js";
import type { Pace } from "./pace.js";
import type { BankProvider, ConnectorOfProvider } from "./port.js";

/** Provider names: lower-case letters, digits and hyphens, at most 40, starting with a letter. */
export const providerName = /^[a-z][a-z0-9-]{0,39}$/;

/** A catalogue row that a provider proposes. Additional members are stored as the row's metadata, and `provider` is filled in. */
export interface ProviderConnector {
  /** `<country>:<name>` */
  readonly id: string;
  readonly name: string;
  /** ISO 3166-1 alpha-3, in small letters. */
  readonly country?: string;
  readonly countries?: readonly string[];
  /** `e-banking`, `psd2`, or a word of your own; `datafeed` is for custodians' files. */
  readonly type?: string;
  /** The provider's own name for the connector; passed back with every call. */
  readonly provider_ref?: string;
  /** What proves which institution it is: other connectors with an equal value are further ways to the same one. */
  readonly identifiers?: {
    readonly bic?: string | undefined;
    readonly lei?: string | undefined;
    readonly domain?: string | undefined;
  };
  readonly [more: string]: unknown;
}

/** A log for the operator. Write no secrets and no customer data to it. */
export interface ProviderLog {
  info(message: string, facts?: Readonly<Record<string, string | number | boolean | null>>): void;
  warn(message: string, facts?: Readonly<Record<string, string | number | boolean | null>>): void;
}

/** What the server passes to a provider. */
export interface ProviderServices {
  /** Can reach only the hosts of the settings. */
  readonly http: HttpClient;
  readonly clock: () => Date;
  /** Returns this many cryptographically random bytes, for nonces and code verifiers. */
  readonly random: (bytes: number) => Uint8Array;
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: ProviderLog;
  readonly pace: Pace;
}

/** What a check found, as far as pages have words for it in each language. The first three are of settings that are good. */
export const checkCauses = [
  "taken",
  "needs_login",
  "no_check",
  "client_refused",
  "access_refused",
  "throttled",
  "no_answer",
  "unreachable",
  "tls",
  "other_host",
  "unusable_answer",
] as const;
export type CheckCause = (typeof checkCauses)[number];

/** The result of checking settings with the institution. */
export interface CheckResult {
  readonly ok: boolean;
  readonly cause?: CheckCause;
  /** For the operator; contains no secret. */
  readonly message?: string;
}

/** A provider before it has settings. It is the default export of a provider's module, made by {@link defineProvider}. */
export interface ProviderDefinition<Schema extends z.ZodType = z.ZodType> {
  /** Unique in an installation; the `provider` of its catalogue rows. */
  readonly name: string;
  /** The provider's name for people. */
  readonly title: string;
  /** The zod schema of what `providers set` accepts. Secrets in it are declared with {@link secret}. */
  readonly settings: Schema;
  /** Catalogue rows; `wealth-connect providers sync` imports them. */
  connectors?(
    settings: z.output<Schema>,
    services: Pick<ProviderServices, "http" | "clock"> & { readonly signal: AbortSignal },
  ): readonly ProviderConnector[] | Promise<readonly ProviderConnector[]>;
  /** Checks settings with a cheap call, for `providers test`. Throws, or answers `ok: false`, if they do not work. */
  check?(
    request: Pick<ProviderServices, "http" | "clock"> & {
      readonly settings: z.output<Schema>;
      readonly signal: AbortSignal;
    },
    // biome-ignore lint/suspicious/noConfusingVoidType: a check that has nothing to say returns nothing.
  ): Promise<CheckResult | void>;
  /** Why only a single tenant may use these settings; null = the installation may use them too. */
  tenantOnly?(settings: z.output<Schema>): string | null;
  /** Hosts that may be called, with the port if it is not the scheme's default. Left out: the hosts of all URLs in the settings. */
  hosts?(settings: z.output<Schema>): readonly string[];
  /** Whether these settings serve a catalogue row. Left out: they serve all rows of the provider. */
  serves?(settings: z.output<Schema>, connector: ConnectorOfProvider): boolean;
  /** Creates the provider with these settings; it must finish within ten seconds. */
  create(
    given: ProviderServices & { readonly settings: z.output<Schema> },
  ): Omit<BankProvider, "name"> | Promise<Omit<BankProvider, "name">>;
}

/** Defines a provider and infers the type of its settings. @throws TypeError for a name that no catalogue row could have */
export function defineProvider<Schema extends z.ZodType>(
  definition: ProviderDefinition<Schema>,
): ProviderDefinition<Schema> {
  if (!providerName.test(definition.name))
    throw new TypeError(
      `a provider's name has lower-case letters, digits and hyphens, and begins with a letter: ${definition.name}`,
    );
  return definition;
}
