import type { Connector } from "@org/core";

/** A catalogue entry as the tool and the resources show it (S1 §2); what is internal to it stays here. */
export function connectorRow({ id, name, type, countries, available, metadata }: Connector) {
  return { connector_id: id, name, metadata: { ...metadata, type, countries, available } };
}
