import { letterSchema } from "@org/core";
import { z } from "zod";
import type { Shell } from "../shell.js";
import { details, printable, table } from "../table.js";

/** A mail of a letter. */
export const mailInList = z.looseObject({
  mail_id: z.string(),
  kind: z.string(),
  state: z.string(),
  recipient: z.string().nullable(),
  created_at: z.string(),
  attempts: z.number(),
  last_error: z.string().nullable(),
  settled_at: z.string().nullable(),
});

/** A mail in a table cell: its state, time and recipient. */
export function mailWords(mail: z.infer<typeof mailInList> | undefined): string | null {
  if (mail === undefined) return null;
  const { state, recipient, created_at, settled_at } = mail;
  return `${state} ${(settled_at ?? created_at).slice(0, 10)}${recipient === null ? "" : ` to ${recipient}`}`;
}

/** An answer of `/operator/v1/letters/*`. */
export const letterAnswerSchema = z.looseObject({
  letter: letterSchema.loose().extend({
    tenant_id: z.string(),
    contact_info: z.record(z.string(), z.string()),
    status_since: z.string(),
    details: z.looseObject({ full_name: z.string(), email: z.string().optional() }).nullable(),
    documents: z.array(
      z.looseObject({ kind: z.string(), size: z.number(), sha256: z.string(), signature: z.string() }),
    ),
    tenant: z.string(),
    custodian: z.string(),
    to_do: z.looseObject({ by: z.string(), what: z.string() }),
    mails: z.array(mailInList),
    remarks: z.array(z.looseObject({ what: z.string() })),
    undo: z.looseObject({ until: z.string() }).nullish(),
    history: z.array(
      z.looseObject({
        at: z.string(),
        actor: z.string(),
        actor_name: z.string().nullable(),
        event: z.string(),
        from: z.string().nullable(),
        to: z.string(),
        note: z.string().nullable(),
        connection_id: z.string().nullish(),
      }),
    ),
  }),
});

/** Prints a letter for an operator: its fields, what is to be done, its documents, mails and history. */
export function printLetter(
  shell: Shell,
  answer: z.infer<typeof letterAnswerSchema>,
  options: { readonly json?: true },
): void {
  shell.print(options.json ? JSON.stringify(answer, null, 2) : textOf(answer));
}

function textOf(answer: z.infer<typeof letterAnswerSchema>): string {
  const { history, documents, mails, remarks, labels, contact_info, details: client, ...letter } = answer.letter;
  const pairs = (record: Readonly<Record<string, string>>) =>
    Object.entries(record).map(([key, value]) => `${key}=${value}`);
  const former = letter.connection_id === null && history.findLast(({ connection_id }) => connection_id)?.connection_id;
  const parts = [
    details({
      id: letter.id,
      status: letter.status,
      status_since: letter.status_since,
      ...(letter.undo && { undo_until: letter.undo.until }),
      to_do: `${letter.to_do.by}: ${letter.to_do.what}`,
      tenant: `${letter.tenant} (${letter.tenant_id})`,
      custodian: `${letter.custodian} (${letter.connector_id})`,
      connection_id: letter.connection_id,
      ...(former && { former_connection_id: former }),
      labels: pairs(labels),
      contact_info: pairs(contact_info),
      ...(client && { client: client.full_name, client_email: client.email }),
      observations: letter.observations,
      created_at: letter.created_at,
      updated_at: letter.updated_at,
    }),
    ...remarks.map(({ what }) => `! ${printable(what)}`),
  ];
  if (documents.length > 0) {
    const rows = documents.map(({ kind, size, sha256, signature }) => [kind, size, sha256, signature]);
    parts.push("", table(["document", "size", "sha256", "signature"], rows));
  }
  if (mails.length > 0) {
    const rows = mails.map((mail) => [
      mail.mail_id,
      mail.kind,
      mail.state,
      mail.settled_at ?? mail.created_at,
      mail.recipient,
      mail.attempts,
      mail.last_error,
    ]);
    parts.push("", table(["mail", "kind", "state", "at", "recipient", "attempts", "last_error"], rows));
  }
  const rows = history.map(({ at, actor, actor_name, event, from, to, note }) => [
    at,
    actor_name ?? actor,
    event,
    from,
    to,
    note,
  ]);
  parts.push("", table(["at", "actor", "event", "from", "to", "note"], rows));
  return parts.join("\n");
}
