import { useWords } from "../language/language.js";
import { showToast } from "../parts/toast.js";
import { clientWords } from "./client-words.js";
import { FormDialog } from "./form-dialog.js";

/** Assigns connections or a letter of the person's tenant to a client, or to none. */
export function AssignClient({
  target,
  now,
  onDone,
  onClose,
}: {
  readonly target: { readonly connection_id: readonly string[] } | { readonly letter_id: string };
  /** Whose it is now. */
  readonly now: string | null;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}) {
  const words = useWords(clientWords);
  return (
    <FormDialog
      title={words.assign}
      lead={"letter_id" in target ? words.assignLetterLead : words.assignLead(target.connection_id.length)}
      path="/clients/v1/assign"
      fields={[{ name: "client_ref", label: words.client, kind: "client", initial: now ?? "" }]}
      bodyOf={({ client_ref = "" }) => ({
        client_ref: client_ref.trim() || null,
        ...("letter_id" in target ? target : { connection_id: [...target.connection_id] }),
      })}
      action={words.assignAction}
      changes={["/data/v1/", "/letters/v1/", "/events/v1/"]}
      onDone={({ assigned }) => {
        showToast(words.assigned(assigned));
        onDone?.();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
