import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, languageNames, languages, useWords } from "../../language/language.js";
import { clientWords } from "../../listing/client-words.js";
import { FormDialog, type FormField, type FormValues } from "../../listing/form-dialog.js";
import { listWords } from "../../listing/list-words.js";
import { ShownOnce } from "../../listing/shown-once.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { SessionBadge } from "../sessions/session-parts.js";
import { connectionWords } from "./words.js";

/** A link that was made. */
export interface Made {
  readonly url: string;
  readonly ends: string;
  readonly id: string;
  /** For operators. */
  readonly tenantId: string | null;
}

/** Creates a link for a customer: for a new connection, or to log in again to an existing one. */
export default function SessionDialog({
  connection,
  clientRef = "",
  onClose,
}: {
  readonly connection?: { readonly connection_id: string; readonly tenant_id: string | null };
  /** The client that a new connection is for. */
  readonly clientRef?: string;
  readonly onClose: () => void;
}) {
  const words = useWords(connectionWords);
  const { client } = useWords(clientWords);
  const general = useWords(listWords);
  const { audience } = usePerson();
  const tenants = useTenantNames();
  const [link, setLink] = useState<Made | null>(null);
  if (link !== null) return <LinkOnce link={link} onClose={onClose} />;

  const fields: readonly FormField[] = [
    ...(audience === "operator" && !connection
      ? [
          {
            name: "tenant_id",
            label: general.tenant,
            kind: "choice" as const,
            isRequired: true,
            initial: tenants.only,
            options: [{ value: "", label: general.choose }, ...tenants.options],
          },
        ]
      : []),
    ...(connection
      ? []
      : [
          { name: "client_ref", label: client, kind: "client" as const, initial: clientRef, tenant: tenantIn },
          { name: "connector_id", label: words.connectorId, kind: "connector" as const },
        ]),
    {
      name: "language",
      label: words.language,
      kind: "choice" as const,
      options: [
        { value: "", label: words.ownLanguage },
        ...languages.map((language) => ({ value: language, label: languageNames[language] })),
      ],
    },
  ];
  const configurationOf = ({ client_ref, connector_id, language }: FormValues) => ({
    ...(connection && { connection_id: connection.connection_id }),
    ...(client_ref?.trim() && { client_ref: client_ref.trim() }),
    ...(connector_id?.trim() && { connector_id: connector_id.trim() }),
    ...(language && { language: language as (typeof languages)[number] }),
  });
  const form = {
    title: connection ? words.repair : words.newSession,
    lead: connection ? words.repairLead : words.newSessionLead,
    fields,
    action: words.create,
    changes: ["/clients/v1/"],
    onClose,
  };
  const made = ({ session, widget_url }: AnswerOf<"/operator/v1/sessions/create">, tenantId: string | null) =>
    setLink({ url: widget_url, ends: session.expires_at, id: session.session_id, tenantId });
  return audience === "operator" ? (
    <FormDialog
      {...form}
      path="/operator/v1/sessions/create"
      onDone={(answer, { tenant_id }) => made(answer, tenant_id)}
      bodyOf={(values) => ({
        tenant_id: connection?.tenant_id ?? values.tenant_id ?? "",
        configuration: configurationOf(values),
      })}
    />
  ) : (
    <FormDialog
      {...form}
      path="/connect/v2/sessions/create-session"
      onDone={(answer) => made(answer, null)}
      bodyOf={(values) => ({ configuration: configurationOf(values) })}
    />
  );
}

const tenantIn = ({ tenant_id }: FormValues) => tenant_id;

/** A new link, with its QR code and what becomes of it: once the customer is done, the way to the connection instead. */
export function LinkOnce({ link, onClose }: { readonly link: Made; readonly onClose: () => void }) {
  const words = useWords(connectionWords);
  const general = useWords(listWords);
  const session = useSessionOf(link);
  const state = session && (
    <p role="status">
      {labelled(general.state, "")}
      <SessionBadge session={session} />
    </p>
  );
  if (session?.status === "Finished:OK" && session.connection_id)
    return (
      <Dialog title={words.link} onClose={onClose}>
        {state}
        <div className="actions">
          <Link to={`/connections/${session.connection_id}`} className="button first">
            {general.toConnection}
          </Link>
          <Button onClick={onClose}>{general.done}</Button>
        </div>
      </Dialog>
    );
  return (
    <ShownOnce
      title={words.linkTitle}
      texts={[{ label: words.link, text: link.url }]}
      qr={{ label: words.linkQr, text: link.url }}
      again={words.linkAgain}
      onClose={onClose}
    >
      <p>
        {labelled(words.linkEnds, "")}
        <Moment at={link.ends} look="both" />
      </p>
      {state}
    </ShownOnce>
  );
}

/** Whether the customer has opened the link yet, and what came of it, as it happens. */
function useSessionOf({ id, tenantId }: Made) {
  const query = { session_id_in: [id] };
  const own = useAnswer("/connect/v2/sessions/list-sessions", { query }, { enabled: tenantId === null });
  const body = { tenant_id: tenantId ?? "", query };
  const ofTenant = useAnswer("/operator/v1/sessions/list", body, { enabled: tenantId !== null });
  return (tenantId === null ? own : ofTenant).data?.items[0];
}
