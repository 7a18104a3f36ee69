export { applyConnectorFilter } from "./apply.js";
export { compileConnectorFilter } from "./compile.js";
export type { Connector, ConnectorFilter, ConnectorFilterRule } from "./connector.js";
export { type ConnectorExplanation, explainConnector } from "./explain.js";
export { ConnectorFilterError, type ConnectorFilterIssue, parseConnectorFilter } from "./parse.js";
export { type PreparedCatalog, prepareCatalog } from "./prepare.js";
