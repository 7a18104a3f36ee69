import { attentionSchema, namedAccountSchema } from "@org/core";
import { z } from "zod";
import { credentialsIcon } from "../icons.js";
import { pageAnswerSchema, pageText } from "../page-answer.js";
import { clientRefs, page, pageSize, searchText } from "../parameters.js";
import { defineTool } from "../tool.js";

/** Lists the bank connections. */
export const svcCredentials = defineTool({
  name: "svc-credentials",
  title: "List bank connections",
  description:
    "List the banks that are connected, oldest connection first. Use it to find the credentials_token that other tools take, to tell connections to one bank apart " +
    "(accounts, created_at), or, with attention_only=true, to see which need somebody, why, and what to do; to log in again is svc-create-connect-session with " +
    "connection_id = credentials_token. The data tools read all banks without it: no need to call this first. " +
    "Not for banks that could be connected: svc-connectors lists those.",
  icons: credentialsIcon,
  scope: "connections:read",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    client_ref: clientRefs,
    bank: searchText
      .optional()
      .meta({ description: "Part of the bank's name; case and accents do not matter.", examples: ["santander"] }),
    ready_only: z
      .boolean("must be true or false")
      .default(false)
      .describe("Leaves out connections that are still pending, blocked or in need of a new login."),
    attention_only: z
      .boolean("must be true or false")
      .default(false)
      .describe(
        "Only those that are blocked, need a login, are pending or incomplete, or whose consent ends within 14 days; rows have credentials_token, bank, any client_ref and attention alone.",
      ),
    include_status: z
      .boolean("must be true or false")
      .default(false)
      .describe("Adds the full status object of each connection."),
    page,
    page_size: pageSize("about 200 fit into one answer, 70 with include_status"),
  }),
  output: pageAnswerSchema(
    z.object({
      credentials_token: z.string(),
      bank: z.string(),
      client_ref: z.string().nullish().describe("Whose."),
      labels: z
        .record(z.string(), z.string())
        .optional()
        .describe("What the tenant has noted on it, such as whose it is."),
      created_at: z.string().optional(),
      attention: attentionSchema.extend({ state: z.string() }).nullable().describe("Null = it needs nothing."),
      accounts: z.array(namedAccountSchema).optional().describe("Three at most."),
      // Abbreviated: svc-credential-status has the whole object, which would double what every client reads here.
      status: z
        .looseObject({ pending: z.boolean(), blocked: z.boolean(), last_update: z.string().nullable() })
        .optional()
        .describe("As svc-credential-status answers it; with include_status only."),
    }),
    {},
  ),
  async run({ credentials }, actor, { bank, ...query }, most) {
    const found = await credentials.list(actor, { ...query, bank: bank ?? null, include_accounts: true });
    const needNothing = query.attention_only && found.total === 0;
    return pageText(needNothing ? { ...found, hint: "None of these connections needs attention." } : found, most);
  },
});
