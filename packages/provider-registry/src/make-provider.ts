import type { Sleep } from "@org/core";
import { cleanText } from "@org/core";
import {
  AnswerFailure,
  type BankProvider,
  isOutage,
  type ProviderDefinition,
  type ProviderServices,
  secretsIn,
} from "@org/provider-kit";
import { zodMessages } from "@org/validation-messages";
import { redactSecrets } from "./settings-schema.js";

/** How long a provider may take to start, in milliseconds. */
export const CREATE_MS = 10_000;

const MAX_CAUSE_DEPTH = 5;

/** The methods that a provider must have, and those that it may have. */
const required = ["login", "fetch"] as const;
const optional = ["credentialFields", "terms", "answer", "resume", "look", "revoke", "notify"] as const;

/** A provider could not be created. The message is for the operator and has no secret in it. */
export class NotMade extends Error {
  override readonly name = "NotMade";
}

/** An institution did not answer in time. */
export class NoAnswer extends NotMade {}

/** Creates the services that a provider gets from the server, limited to the hosts of its settings; `close` ends their connections. */
export type ServicesFor = (
  definition: ProviderDefinition,
  settings: unknown,
) => ProviderServices & { close(): Promise<void> };

/** A provider created with settings, and the catalogue rows that it serves with them. */
export interface MadeProvider {
  readonly provider: BankProvider;
  /** Null = all of its rows. */
  readonly serves: ((connector: { connector_id: string; provider_ref: string | null }) => boolean) | null;
}

/**
 * Creates a provider with settings. Fails if its `create` throws, hangs or returns something that is not a provider.
 * @param stated settings as they were given to `providers set`
 * @throws NotMade
 */
export async function makeProvider(
  definition: ProviderDefinition,
  stated: unknown,
  servicesFor: ServicesFor,
  sleep: Sleep,
): Promise<MadeProvider> {
  const settings = await parseSettings(definition, stated);
  const over = new AbortController();
  const hangs = sleep(CREATE_MS, over.signal).then(() => {
    throw new Error(`it did not come up within ${CREATE_MS / 1_000} s`);
  });
  hangs.catch(() => undefined);
  try {
    // Not closed here: unused connections end on their own, and requests under replaced settings can finish.
    const { close: _, ...services } = servicesFor(definition, settings);
    const create = async () => definition.create({ ...services, settings });
    const made: unknown = await Promise.race([create(), hangs]);
    const secrets = secretsIn(definition.settings, settings);
    return { provider: providerOf(definition.name, made, secrets), serves: servesOf(definition, settings) };
  } catch (error) {
    throw new NotMade(redactedReason(error, definition, settings));
  } finally {
    over.abort();
  }
}

/** Parses settings with the provider's schema. @throws NotMade when this version of the provider does not take them */
export async function parseSettings(definition: ProviderDefinition, stated: unknown): Promise<unknown> {
  const parsed = await definition.settings.safeParseAsync(stated, { error: zodMessages });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "settings"} ${message}`);
  throw new NotMade(`its settings are not those that it takes: ${faults.slice(0, 20).join("; ")}`);
}

/** The message of an error, on one line and without the secrets of the settings. */
export function redactedReason(error: unknown, definition: ProviderDefinition, settings: unknown): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  const line = cleanText(redactSecrets(words, secretsIn(definition.settings, settings)));
  return line.replace(/\s+/g, " ").slice(0, 500);
}

/** Checks what `create` returned, because a third party may have written the provider in JavaScript. */
function providerOf(name: string, made: unknown, secrets: readonly string[]): BankProvider {
  if (made === null || typeof made !== "object")
    throw new Error("its create answers no object with the calls of a provider");
  const calls = made as Record<string, unknown>;
  const wrong = [
    ...required.filter((call) => typeof calls[call] !== "function"),
    ...optional.filter((call) => calls[call] !== undefined && typeof calls[call] !== "function"),
  ];
  if (wrong.length > 0) throw new Error(`its create answers something whose ${wrong.join(", ")} cannot be called`);
  const bound = [...required, ...optional].flatMap((call) => {
    const method = calls[call];
    if (typeof method !== "function") return [];
    if (call === "credentialFields" || call === "terms") return [[call, method.bind(made)]];
    return [[call, async (request: unknown) => telling(async () => method.call(made, request), secrets)]];
  });
  return { ...Object.fromEntries(bound), name } as BankProvider;
}

/** Errors of a provider are logged, so one that holds a secret of the settings anywhere is replaced by one that does not. */
async function telling<T>(work: () => Promise<T>, secrets: readonly string[]): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const all = textOf(error);
    if (redactSecrets(all, secrets) === all) throw error;
    // An outage stays one.
    const clean = new AnswerFailure(redactSecrets(error instanceof Error ? error.message : String(error), secrets), {
      status: isOutage(error) ? 503 : null,
    });
    if (error instanceof Error && error.stack !== undefined) clean.stack = redactSecrets(error.stack, secrets);
    throw clean;
  }
}

/** Everything of an error that a log may show: its own properties and its causes. */
function textOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > MAX_CAUSE_DEPTH) return String(error);
  return [error.message, error.stack, ...Object.values(error).map(jsonOf), textOf(error.cause, depth + 1)].join("\n");
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function servesOf(definition: ProviderDefinition, settings: unknown): MadeProvider["serves"] {
  if (definition.serves === undefined) return null;
  return (connector) => {
    try {
      return definition.serves?.(settings, connector) === true;
    } catch {
      return false;
    }
  };
}
