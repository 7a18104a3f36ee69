import { type Connector, DATAFEED_TYPE, searchKey } from "@org/core";
import type { Completer, RequestContext } from "./offer.js";

/** At most as many values as MCP lets a completion hold. */
export const MAX_COMPLETIONS = 100;

/** Ids of connectors whose id or name holds what has been typed; those that begin with it come first. */
export const completeConnectorId: Completer = (typed, context) => connectorIds(typed, context, () => true);

/** Those of them for which a Connect session can be opened. */
export const completeSessionConnectorId: Completer = (typed, context) =>
  connectorIds(typed, context, ({ available, type }) => available && type !== DATAFEED_TYPE);

/** Tokens of the tenant's bank connections, by part of the bank's name or the beginning of the token. */
export const completeCredentialsToken: Completer = async (typed, { services, actor, scopes }) => {
  if (!scopes.has("connections:read")) return [];
  const wanted = searchKey(typed);
  const query = { ready_only: false, include_status: false, page: 1, page_size: MAX_CREDENTIALS };
  const { items } = await services.credentials.list(actor, { ...query, bank: null });
  return items
    .filter(({ credentials_token, bank }) => credentials_token.startsWith(wanted) || searchKey(bank).includes(wanted))
    .map(({ credentials_token }) => credentials_token);
};

/** One of a few known values. */
export function completeOneOf(values: readonly string[]): Completer {
  return async (typed) => beginsWith(values, typed);
}

/** As many connectors as are looked through for a completion. */
const MAX_CATALOGUE = 50_000;
/** As many bank connections of a tenant. */
const MAX_CREDENTIALS = 500;

async function connectorIds(
  typed: string,
  { services, actor, scopes }: RequestContext,
  isWanted: (connector: Connector) => boolean,
): Promise<string[]> {
  if (!scopes.has("connections:read")) return [];
  const wanted = searchKey(typed);
  const { items } = await services.connectors.search(
    { name: null, page: 1, page_size: MAX_CATALOGUE },
    actor.tenant_id,
  );
  const matching = items.filter(
    (connector) =>
      isWanted(connector) &&
      (connector.id.toLowerCase().includes(wanted) || searchKey(connector.name).includes(wanted)),
  );
  return beginningFirst(
    matching.map(({ id }) => id),
    wanted,
  );
}

function beginsWith(values: readonly string[], typed: string): string[] {
  return values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
}

function beginningFirst(values: readonly string[], wanted: string): string[] {
  const begins = (value: string) => value.toLowerCase().startsWith(wanted);
  return [...values.filter(begins), ...values.filter((value) => !begins(value))];
}
