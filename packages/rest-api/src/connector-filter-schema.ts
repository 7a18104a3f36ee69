import { z } from "zod";

/**
 * The connector filter for the API document (S2 §2). It is checked by `@org/connector-filter`, whose words for a fault are better
 * than a schema's; a test holds the two together.
 */
export const connectorFilterSchema = z
  .strictObject({
    rules: z.array(
      z.strictObject({
        action: z.enum(["include", "exclude"]),
        field: z.enum(["connector_id", "countries", "type"]),
        value: z
          .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
          .describe("`*` matches every connector and is allowed only with connector_id, alone."),
      }),
    ),
  })
  .describe("BETA. Rules apply in order: exclude removes matching connectors, include adds them back.");
