import {
  type Actor,
  type CatalogueConnector,
  connectorSchema,
  defaulted,
  invalidAll,
  invalidValue,
  matchedAs,
  opaqueId,
  pageNumber,
  pageSizeSchema,
} from "@org/core";
import { jsonFaults } from "@org/http";
import { z } from "zod";
import { linesInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { pageSchema } from "../paging.js";
import { operatorEndpoint } from "./operator-endpoint.js";

/** A catalogue entry including the fields that the public APIs omit. */
export const catalogueEntrySchema = connectorSchema.extend({
  provider: z.string(),
  provider_ref: z.string().nullable().describe("The provider's own name for it."),
  metadata: z.record(z.string(), z.unknown()),
  ways: z
    .array(z.string())
    .describe(
      "Ids of the available connectors that reach the same institution, its own among them, in the order in which people are offered them; empty if it has no other.",
    ),
});

/** `/operator/v1/connectors`: the catalogue (contract §9 "Catalogue rows"). */
export const catalogueEndpoints = [
  defineEndpoint({
    path: "/operator/v1/connectors/import",
    operation: "importConnectors",
    summary: "Import catalogue rows, all or none",
    order: "what no provider serves, by id",
    description:
      "One JSON object a line; rows are inserted or replaced by id, and those that are equal to the stored ones are not written. A bad line is refused with its number. A row whose provider this server does not have is taken, and is not available until a server has it.",
    scopes: ["operator"],
    input: linesInput,
    output: z.object({
      inserted: z.int().min(0),
      updated: z.int().min(0),
      unchanged: z.int().min(0),
      unserved_total: z.int().min(0).describe("How many rows say they are available, though no provider serves them."),
      unserved: z.array(z.object({ id: z.string(), provider: z.string() })).describe("The first 100 of them, by id."),
    }),
    fails: [],
    handle: ({ connectors }, _call, lines) => connectors.importLines(rejectUnsafeLines(lines)),
  }),
  operatorEndpoint({
    path: "/operator/v1/connectors/list",
    reads: true,
    operation: "listCatalogue",
    summary: "List the catalogue by id",
    order: "by id",
    body: z.strictObject({
      name: z
        .string()
        .max(200)
        .nullish()
        .describe("Only connectors whose name holds this text, whatever its case and accents."),
      unserved: defaulted(z.boolean(), false).describe(
        "Only connectors that are not available because no provider of this server serves them.",
      ),
      page: pageNumber,
      page_size: pageSizeSchema(500, 50),
    }),
    output: pageSchema(catalogueEntrySchema),
    async handle({ connectors }, _call, { name, ...query }) {
      const found = await connectors.search({ name: name ?? null, ...query }, null);
      return { ...found, items: found.items.map(entryOf) };
    },
  }),
  operatorEndpoint({
    path: "/operator/v1/connectors/match",
    operation: "matchConnectors",
    summary: "Decide which institution connectors reach",
    order: "as in the request",
    description:
      "Customers see connectors of one institution as one bank with several ways. Without a decision, `identifiers` in the rows prove it: an equal `lei`, `bic` or `domain`, or a provider's own name. A decision stays when the rows are imported or synced again.",
    body: z.strictObject({
      connector_ids: z
        .array(opaqueId)
        .min(1)
        .max(20)
        .describe("For `one`, in the order in which people are offered these ways."),
      as: z
        .enum(matchedAs)
        .describe(
          "`one` institution, `separate` ones, or what their `identifiers` prove, which ends an earlier decision.",
        ),
    }),
    output: z.object({ items: z.array(catalogueEntrySchema) }),
    fails: [],
    async handle({ connectors }, _call, { connector_ids, as }) {
      return { items: (await connectors.match(connector_ids, as)).map(entryOf) };
    },
  }),
] as const satisfies readonly Endpoint<Actor>[];

function entryOf(connector: CatalogueConnector) {
  return { ...connector, ways: [...(connector.ways ?? [])] };
}

/** Refuses JSON that cannot be stored. A line that is not JSON at all is left to the importer to refuse. */
async function* rejectUnsafeLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const faults = jsonFaults(parsedOrNull(line));
    if (faults.length > 0)
      throw invalidAll(faults.map(({ path, rule }) => invalidValue(`line ${number}.${path}`, rule)));
    yield line;
  }
}

function parsedOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
