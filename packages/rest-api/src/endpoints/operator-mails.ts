import { type Actor, idField, mailSchema, mailSearchSchema, optional } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { tokenPageSchema } from "../paging.js";
import { operatorEndpoint } from "./operator-endpoint.js";

const oneMail = z.object({ mail: mailSchema });

/** `/operator/v1/mails`: mails about letters, and their delivery problems (contract §7). */
export const mailEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/mails/list",
    reads: true,
    operation: "listMails",
    summary: "List mails about letters, newest first",
    order: "newest first, by mail_id",
    body: mailSearchSchema,
    output: tokenPageSchema(mailSchema),
    handle: ({ mails }, _call, search) => mails.list(search),
  }),
  operatorEndpoint({
    path: "/operator/v1/mails/retry",
    operation: "retryMail",
    summary: "Send a mail that failed, waits or is in doubt again",
    description:
      "It waits as the mail of a move does, and can be withdrawn meanwhile; one that waits already leaves at once. A mail in doubt may arrive twice then; both carry the same Message-ID.",
    body: z.strictObject({
      mail_id: idField,
      recipient: optional(z.email("must be an e-mail address").max(254)).describe("Another address than before."),
    }),
    output: oneMail,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ mails }, { who }, { mail_id, recipient }) => ({
      mail: await mails.retry(who, mail_id, recipient),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/mails/confirm",
    operation: "confirmMail",
    summary: "Note that a mail that failed or is in doubt has reached its recipient",
    body: z.strictObject({ mail_id: idField }),
    output: oneMail,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ mails }, { who }, { mail_id }) => ({ mail: await mails.confirm(who, mail_id) }),
  }),
  operatorEndpoint({
    path: "/operator/v1/mails/withdraw",
    operation: "withdrawMail",
    summary: "Decide that a mail that waits, failed or is in doubt is not sent",
    description: "Its letter can move on then, and says that nothing was mailed.",
    body: z.strictObject({ mail_id: idField }),
    output: oneMail,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ mails }, { who }, { mail_id }) => ({ mail: await mails.withdraw(who, mail_id) }),
  }),
] as const satisfies readonly Endpoint<Actor>[];
