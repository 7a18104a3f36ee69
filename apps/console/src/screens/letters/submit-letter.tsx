import { type ReactNode, useState } from "react";
import { useChange } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { ClientField } from "../../listing/client-field.js";
import { clientWords } from "../../listing/client-words.js";
import { ConnectorField } from "../../listing/connector-field.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { base64Of, FileField } from "../../parts/file-field.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { labelIn } from "./letter-filters.js";
import { lettersWords } from "./words.js";

/** Submits a signed letter: a tenant's people submit their own, for custodians that accept those. */
export function SubmitLetter({
  connectors,
  onClose,
}: {
  readonly connectors: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}) {
  const words = useWords(lettersWords);
  const general = useWords(listWords);
  const [connector, setConnector] = useState("");
  const submit = useChange("/letters/v1/create-signed", {
    onDone() {
      showToast(words.submitted);
      onClose();
    },
  });
  return (
    <SignedLetterForm
      isReady={connector !== ""}
      change={submit}
      onSend={(letter) => submit.mutate({ connector_id: connector, ...letter })}
      onClose={onClose}
    >
      <SelectField
        label={words.connector}
        value={connector}
        fault={faultOf(submit.error, "connector_id")}
        options={[
          { value: "", label: general.choose },
          ...[...connectors].map(([value, name]) => ({ value, label: name })),
        ]}
        onChange={setConnector}
      />
    </SignedLetterForm>
  );
}

/** The same for operators, who choose the tenant. */
export function SubmitTenantLetter({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(lettersWords);
  const general = useWords(listWords);
  const tenants = useTenantNames();
  const { go } = useAddress();
  const [chosen, setTenant] = useState("");
  const tenant = chosen || tenants.only;
  const [connector, setConnector] = useState("");
  const submit = useChange("/operator/v1/letters/submit", {
    onDone({ letter_id }) {
      showToast(words.submitted);
      go(`/letters/${letter_id}`);
    },
  });
  return (
    <SignedLetterForm
      tenantId={tenant}
      isReady={tenant !== "" && connector.trim() !== ""}
      change={submit}
      onSend={(letter) => submit.mutate({ tenant_id: tenant, connector_id: connector.trim(), ...letter })}
      onClose={onClose}
    >
      <SelectField
        label={general.tenant}
        value={tenant}
        fault={faultOf(submit.error, "tenant_id")}
        options={[{ value: "", label: general.choose }, ...tenants.options]}
        onChange={setTenant}
      />
      <ConnectorField
        label={words.connector}
        value={connector}
        fault={faultOf(submit.error, "connector_id")}
        onChange={setConnector}
      />
    </SignedLetterForm>
  );
}

/** What a form states about a letter, besides tenant and custodian. */
interface SignedLetter {
  readonly data: string;
  readonly annex?: string;
  readonly contact_info: { readonly banker_email?: string };
  readonly labels: Record<string, string>;
  readonly client_ref?: string;
}

function SignedLetterForm({
  tenantId,
  isReady,
  change,
  onSend,
  onClose,
  children,
}: {
  /** Whose clients are suggested, for operators. */
  readonly tenantId?: string;
  readonly isReady: boolean;
  readonly change: { readonly isPending: boolean; readonly error: Parameters<typeof faultOf>[0] };
  readonly onSend: (letter: SignedLetter) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const words = useWords(lettersWords);
  const whose = useWords(clientWords);
  const [file, setFile] = useState<File | null>(null);
  const [annex, setAnnex] = useState<File | null>(null);
  const [email, setEmail] = useState("");
  const [label, setLabel] = useState("");
  const [client, setClient] = useState("");
  async function send(signed: File): Promise<void> {
    onSend({
      data: await base64Of(signed),
      ...(annex && { annex: await base64Of(annex) }),
      ...contactsAndLabels(email, label),
      ...(client.trim() && { client_ref: client.trim() }),
    });
  }
  return (
    <Dialog title={words.submit} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && file !== null && !change.isPending) void send(file);
        }}
      >
        {children}
        <ClientField
          label={whose.client}
          tenantId={tenantId}
          value={client}
          fault={faultOf(change.error, "client_ref")}
          onChange={setClient}
        />
        <FileField
          label={words.file}
          accept="application/pdf"
          fault={faultOf(change.error, "data")}
          onChange={setFile}
        />
        <FileField
          label={words.annex}
          accept="application/pdf"
          fault={faultOf(change.error, "annex")}
          onChange={setAnnex}
        />
        <TextField
          label={words.bankerEmail}
          type="email"
          value={email}
          fault={faultOf(change.error, "contact_info.banker_email")}
          onChange={setEmail}
        />
        <TextField label={words.labelsOne} value={label} fault={faultOf(change.error, "labels")} onChange={setLabel} />
        <Problem problem={change.error} />
        <div className="actions">
          <Button
            type="submit"
            look="first"
            isBusy={change.isPending}
            reason={isReady && file !== null ? null : words.fileNeeded}
          >
            {words.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The contact address at the custodian and the label, as the server expects them. */
export function contactsAndLabels(email: string, label: string) {
  const labels = labelIn(label);
  return {
    contact_info: email.trim() === "" ? {} : { banker_email: email.trim() },
    labels: labels ? { [labels[0]]: labels[1] } : {},
  };
}
