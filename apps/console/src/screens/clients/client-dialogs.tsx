import { useWords } from "../../language/language.js";
import { DeletionEffects } from "../../listing/deletion-effects.js";
import { ConfirmChange, FormDialog } from "../../listing/form-dialog.js";
import type { RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { showToast } from "../../parts/toast.js";
import { clientsWords } from "./words.js";

/** A client with how much is theirs. */
export type Client = RowOf<"/clients/v1/list">;

/** What shows whose a connection or letter is. */
const OF_CLIENTS = ["/data/v1/", "/letters/v1/", "/events/v1/"];

/** Makes a client that has nothing yet. */
export function CreateClient({
  onCreated,
  onClose,
}: {
  /** Gets the new client's reference. */
  readonly onCreated: (clientRef: string) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(clientsWords);
  const general = useWords(listWords);
  return (
    <FormDialog
      title={words.create}
      path="/clients/v1/create"
      fields={[
        { name: "name", label: general.name },
        { name: "client_ref", label: words.reference, hint: words.referenceHint, isRequired: true },
      ]}
      bodyOf={({ name = "", client_ref = "" }) => ({
        client_ref: client_ref.trim(),
        ...(name.trim() && { name: name.trim() }),
      })}
      action={words.createAction}
      onDone={({ client_ref }) => onCreated(client_ref)}
      onClose={onClose}
    />
  );
}

/** Changes a client's name and reference. */
export function RenameClient({
  client,
  onRenamed,
  onClose,
}: {
  readonly client: Client;
  /** Gets the reference after the change. */
  readonly onRenamed?: (clientRef: string) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(clientsWords);
  const general = useWords(listWords);
  return (
    <FormDialog
      title={words.rename}
      lead={words.renameLead}
      path="/clients/v1/update"
      fields={[
        { name: "name", label: general.name, initial: client.name ?? "" },
        { name: "new_client_ref", label: words.reference, initial: client.client_ref, isRequired: true },
      ]}
      bodyOf={({ name = "", new_client_ref = "" }) => ({
        client_ref: client.client_ref,
        name: name.trim() || null,
        ...(new_client_ref.trim() !== client.client_ref && { new_client_ref: new_client_ref.trim() }),
      })}
      action={general.save}
      changes={OF_CLIENTS}
      onDone={({ client_ref }) => {
        showToast(words.renamed);
        onRenamed?.(client_ref);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Deletes a client with everything that is theirs, after saying what that is. */
export function DeleteClient({
  client: { client_ref, name },
  onDeleted,
  onClose,
}: {
  readonly client: Client;
  readonly onDeleted?: () => void;
  readonly onClose: () => void;
}) {
  const words = useWords(clientsWords);
  return (
    <ConfirmChange
      title={words.deleteTitle}
      action={words.deleteAction}
      typed={(name ?? client_ref).trim()}
      path="/clients/v1/delete"
      body={{ client_ref, confirm: true }}
      changes={OF_CLIENTS}
      onDone={() => {
        showToast(words.deleted);
        onDeleted?.();
        onClose();
      }}
      onClose={onClose}
      effects={[words.deleteText]}
    >
      <DeletionEffects of={{ client_ref }} />
    </ConfirmChange>
  );
}
