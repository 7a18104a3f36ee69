import { searchKey } from "@org/core";
import type { Completer, RequestContext } from "./offer.js";

/** Maximum number of values that MCP allows in a completion. */
export const MAX_COMPLETIONS = 100;

/** Ids of connectors whose id or name contains the typed text. Those that begin with it come first. */
export const completeConnectorId: Completer = (typed, context) => connectorIds(typed, context, { connectable: false });

/** Same, only for connectors for which a Connect session can be opened. */
export const completeSessionConnectorId: Completer = (typed, context) =>
  connectorIds(typed, context, { connectable: true });

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

/** Completes from a short list of known values. */
export function completeOneOf(values: readonly string[]): Completer {
  return async (typed) => beginsWith(values, typed);
}

/** Maximum number of a tenant's bank connections that a completion searches. */
const MAX_CREDENTIALS = 500;

async function connectorIds(
  typed: string,
  { services, actor, scopes }: RequestContext,
  query: { connectable: boolean },
): Promise<readonly string[]> {
  if (!scopes.has("connections:read")) return [];
  return services.connectors.completions(typed, query, actor.tenant_id);
}

function beginsWith(values: readonly string[], typed: string): string[] {
  return values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
}
