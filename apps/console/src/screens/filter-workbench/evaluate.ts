import {
  type Connector,
  type ConnectorFilter,
  ConnectorFilterError,
  type ConnectorFilterIssue,
  explainConnector,
  parseConnectorFilter,
} from "@org/connector-filter";

/** A pasted filter: its meaning, or what is wrong with it. */
export type PastedFilter =
  | { readonly filter: ConnectorFilter }
  | { readonly issues: readonly ConnectorFilterIssue[] }
  | { readonly notJson: string };

/** Parses a pasted filter: the value of a session's `connector_filter`, or the body around it. An empty text is a filter without rules. */
export function readFilter(text: string): PastedFilter {
  if (text.trim() === "") return { filter: parseConnectorFilter({ rules: [] }) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { notJson: error instanceof Error ? error.message : "" };
  }
  try {
    return { filter: parseConnectorFilter(innermost(value)) };
  } catch (error) {
    if (error instanceof ConnectorFilterError) return { issues: error.issues };
    throw error;
  }
}

/** The filter inside the body of a session or preview. */
function innermost(value: unknown): unknown {
  let inner = value;
  for (const name of ["configuration", "connector_filter"])
    if (inner !== null && typeof inner === "object" && name in inner) inner = (inner as Record<string, unknown>)[name];
  return inner;
}

/** The result for one connector. `rule` is the index of the rule that decided; null if none did. */
export interface Verdict<C extends Connector> {
  readonly connector: C;
  readonly included: boolean;
  readonly rule: number | null;
}

/** How long the work continues before the page may render and react, in milliseconds. */
const SLICE_MS = 8;

/**
 * Applies a filter to each connector, in slices that keep the page responsive.
 * @param pause lets other work run
 * @returns null if `signal` aborted it
 */
export async function evaluate<C extends Connector>(
  connectors: readonly C[],
  filter: ConnectorFilter,
  {
    signal,
    pause,
    clock,
  }: { readonly signal: AbortSignal; readonly pause: () => Promise<void>; readonly clock: () => number },
): Promise<readonly Verdict<C>[] | null> {
  const verdicts: Verdict<C>[] = [];
  let until = clock() + SLICE_MS;
  for (const connector of connectors) {
    const { included, rule } = explainConnector(connector, filter);
    verdicts.push({ connector, included, rule });
    if (clock() < until) continue;
    await pause();
    if (signal.aborted) return null;
    until = clock() + SLICE_MS;
  }
  return signal.aborted ? null : verdicts;
}
