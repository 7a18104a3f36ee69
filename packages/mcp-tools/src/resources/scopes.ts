import type { OfferedResource } from "../offer.js";
import type { ToolScope } from "../tool.js";
import { bankTools } from "../tool-list.js";

const URI = "wealth-connect://scopes";

const meanings = {
  "connections:read": "See the catalogue of banks, the bank connections and their health, and open sessions.",
  "connections:write": "Start sessions in which the user connects a bank or logs in again.",
  "connections:delete": "Delete a bank connection with everything stored for it.",
  "investments:read": "Read portfolio accounts, holdings and transactions.",
} as const satisfies Record<ToolScope, string>;

/** Explains what each scope of a token allows. */
export const scopesResource: OfferedResource = {
  listed: {
    uri: URI,
    name: "scopes",
    title: "Scopes",
    description: "What each scope of an access token allows, and which tools need it.",
    mimeType: "text/markdown",
  },
  read: () => ({
    contents: [{ uri: URI, mimeType: "text/markdown", text }],
    ttlMs: 3_600_000,
    cacheScope: "public",
  }),
};

const text = [
  "# Scopes",
  "A call without its scope is refused with HTTP 403, which names the scope that is missing; the user can grant it by authorizing the client again.",
  [
    "| scope | allows | tools |",
    "| --- | --- | --- |",
    ...Object.entries(meanings).map(([scope, meaning]) => {
      const needing = bankTools.tools.filter((tool) => tool.scope === scope).map(({ name }) => name);
      return `| ${scope} | ${meaning} | ${needing.join(", ")} |`;
    }),
  ].join("\n"),
].join("\n\n");
