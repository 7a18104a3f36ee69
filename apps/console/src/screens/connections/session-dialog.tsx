import { useState } from "react";
import { usePerson } from "../../api/session.js";
import { languageNames, languages, useWords } from "../../language/language.js";
import { clientWords } from "../../listing/client-words.js";
import { FormDialog, type FormField, type FormValues } from "../../listing/form-dialog.js";
import { listWords } from "../../listing/list-words.js";
import { ShownOnce } from "../../listing/shown-once.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Moment } from "../../parts/moment.js";
import { connectionWords } from "./words.js";

/** Creates a link for a customer: for a new connection, or to log in again to an existing one. */
export function SessionDialog({
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
  const [made, setMade] = useState<{ readonly url: string; readonly ends: string } | null>(null);
  if (made !== null)
    return (
      <ShownOnce
        title={words.linkTitle}
        texts={[{ label: words.link, text: made.url }]}
        qr={{ label: words.linkQr, text: made.url }}
        onClose={onClose}
      >
        <p>
          {words.linkEnds}: <Moment at={made.ends} look="both" />
        </p>
      </ShownOnce>
    );

  const fields: readonly FormField[] = [
    ...(audience === "operator" && !connection
      ? [
          {
            name: "tenant_id",
            label: general.tenant,
            kind: "choice" as const,
            isRequired: true,
            options: [{ value: "", label: "–" }, ...tenants.options],
          },
        ]
      : []),
    ...(connection
      ? []
      : [
          { name: "client_ref", label: client, kind: "client" as const, initial: clientRef },
          { name: "connector_id", label: words.connectorId, hint: words.connectorHint },
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
    onDone: ({ session, widget_url }: { session: { expires_at: string }; widget_url: string }) =>
      setMade({ url: widget_url, ends: session.expires_at }),
  };
  return audience === "operator" ? (
    <FormDialog
      {...form}
      path="/operator/v1/sessions/create"
      bodyOf={(values) => ({
        tenant_id: connection?.tenant_id ?? values.tenant_id ?? "",
        configuration: configurationOf(values),
      })}
    />
  ) : (
    <FormDialog
      {...form}
      path="/connect/v2/sessions/create-session"
      bodyOf={(values) => ({ configuration: configurationOf(values) })}
    />
  );
}
