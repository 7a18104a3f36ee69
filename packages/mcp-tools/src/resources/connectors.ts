import { type CoreError, invalid, invalidValue } from "@org/core";
import { completeConnectorId } from "../completers.js";
import type { OfferedResource, OfferedTemplate, RequestContext, ResourceContent } from "../offer.js";
import { ANSWER_MAX_CHARACTERS, pageText } from "../page-answer.js";
import { connectorRow } from "../tools/svc-connectors.js";

const CATALOGUE = "wealth-connect://connectors";
const PAGE_SIZE = 100;
const LAST_PAGE = 1_000_000;

/** Short-lived, because the catalogue may change at any time. */
const freshness = { ttlMs: 60_000, cacheScope: "private" } as const;

/** First page of the catalogue of connectors. */
export const connectorsResource: OfferedResource = {
  listed: {
    uri: CATALOGUE,
    name: "connectors",
    title: "Catalogue of banks",
    description: `The banks and custodians that can be connected, as svc-connectors lists them: the first ${PAGE_SIZE}. Further pages: ${CATALOGUE}?page=2.`,
    mimeType: "application/json",
  },
  scope: "connections:read",
  read: (context) => readPage(CATALOGUE, context),
};

/** Any page of the catalogue, or of a search in it. */
export const connectorPages: OfferedTemplate = {
  listed: {
    uriTemplate: `${CATALOGUE}{?name,page}`,
    name: "connector-pages",
    title: "Pages of the catalogue of banks",
    description: `${PAGE_SIZE} banks to a page, by part of the name if name is given.`,
    mimeType: "application/json",
  },
  scope: "connections:read",
  matches: (uri) => uri.startsWith(`${CATALOGUE}?`),
  read: readPage,
};

/** One connector. */
export const connectorById: OfferedTemplate = {
  listed: {
    uriTemplate: `${CATALOGUE}/{connector_id}`,
    name: "connector",
    title: "One bank of the catalogue",
    description: "A connector by its connector_id, such as wealth-connect://connectors/esp%3Aexample-bank.",
    mimeType: "application/json",
  },
  completers: { connector_id: completeConnectorId },
  scope: "connections:read",
  matches: (uri) => uri.startsWith(`${CATALOGUE}/`),
  async read(uri, { services, actor }) {
    const id = decoded(uri.slice(CATALOGUE.length + 1));
    const found = id === null ? null : await services.connectors.find(id, actor.tenant_id);
    return found && { contents: [json(uri, JSON.stringify(connectorRow(found)))], ...freshness };
  },
};

async function readPage(uri: string, { services, actor }: RequestContext): Promise<ResourceContent> {
  const query = new URLSearchParams(uri.slice(CATALOGUE.length));
  const unknown = [...query.keys()].filter((key) => key !== "name" && key !== "page");
  if (unknown.length > 0) throw faulty(`has no ${unknown.join(", ")}: name and page are all it takes`);
  const page = Number(query.get("page") ?? 1);
  if (!Number.isInteger(page) || page < 1 || page > LAST_PAGE)
    throw faulty(`page must be a whole number between 1 and ${LAST_PAGE}`);
  const found = await services.connectors.search(
    { name: query.get("name"), page, page_size: PAGE_SIZE },
    actor.tenant_id,
  );
  return {
    contents: [json(uri, pageText({ ...found, items: found.items.map(connectorRow) }, ANSWER_MAX_CHARACTERS))],
    ...freshness,
  };
}

function faulty(rule: string): CoreError {
  return invalid(invalidValue("uri", rule));
}

function json(uri: string, text: string) {
  return { uri, mimeType: "application/json", text };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
