import { z } from "zod";
import { credentialsIcon } from "../icons.js";
import { pageAnswerSchema, pageText } from "../page-answer.js";
import { page, pageSize, searchText } from "../parameters.js";
import { defineTool } from "../tool.js";

/** Lists the bank connections. */
export const svcCredentials = defineTool({
  name: "svc-credentials",
  title: "List bank connections",
  description:
    "List the banks that are connected, oldest connection first. Use it to find the credentials_token that other tools take, to see which banks there are, or, with " +
    "include_status=true, the health of all of them in one call. The data tools read all banks without it: no need to call this first. " +
    "Not for banks that could be connected: svc-connectors lists those.",
  icons: credentialsIcon,
  scope: "connections:read",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    bank: searchText
      .optional()
      .meta({ description: "Part of the bank's name; case and accents do not matter.", examples: ["santander"] }),
    ready_only: z
      .boolean("must be true or false")
      .default(false)
      .describe("Leaves out connections that are still pending, blocked or in need of a new login."),
    include_status: z
      .boolean("must be true or false")
      .default(false)
      .describe("Adds the full status object of each connection."),
    page,
    page_size: pageSize("about 400 fit into one answer, 80 with include_status"),
  }),
  output: pageAnswerSchema(
    z.object({
      credentials_token: z.string(),
      bank: z.string(),
      labels: z.record(z.string(), z.string()).describe("What the tenant has noted on it, such as whose it is."),
      // Abbreviated: svc-credential-status has the whole object, which would double what every client reads here.
      status: z
        .looseObject({ pending: z.boolean(), blocked: z.boolean(), last_update: z.string().nullable() })
        .optional()
        .describe("As svc-credential-status answers it; with include_status only."),
    }),
    {},
  ),
  async run({ credentials }, actor, { bank, ...query }, most) {
    return pageText(await credentials.list(actor, { ...query, bank: bank ?? null }), most);
  },
});
