import { useWords } from "../../language/language.js";
import { clientWords } from "../../listing/client-words.js";
import { FormDialog } from "../../listing/form-dialog.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { useAddress } from "../../parts/address.js";
import { contactsAndLabels } from "./submit-letter.js";
import { lettersWords } from "./words.js";

/** Requests a letter that the server generates and the client signs. */
export function RequestLetter({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(lettersWords);
  const whose = useWords(clientWords);
  const general = useWords(listWords);
  const tenants = useTenantNames();
  const { go } = useAddress();
  return (
    <FormDialog
      title={words.request}
      lead={words.requestText}
      path="/operator/v1/letters/request"
      action={words.request}
      fields={[
        {
          name: "tenant_id",
          label: general.tenant,
          kind: "choice",
          isRequired: true,
          initial: tenants.only,
          options: [{ value: "", label: general.choose }, ...tenants.options],
        },
        { name: "connector_id", label: words.connector, kind: "connector", isRequired: true },
        { name: "client_ref", label: whose.client, kind: "client", tenant: ({ tenant_id }) => tenant_id },
        { name: "contact_info.banker_email", label: words.bankerEmail },
        { name: "labels", label: words.labelsOne },
      ]}
      bodyOf={({ tenant_id = "", connector_id = "", labels = "", client_ref = "", ...values }) => ({
        tenant_id,
        connector_id: connector_id.trim(),
        ...(client_ref.trim() && { client_ref: client_ref.trim() }),
        ...contactsAndLabels(values["contact_info.banker_email"] ?? "", labels),
      })}
      changes={["/operator/v1/work/"]}
      onDone={({ letter }) => go(`/letters/${letter.id}`)}
      onClose={onClose}
    />
  );
}
