import { useWords } from "../../language/language.js";
import { ConnectorField } from "../../listing/connector-field.js";
import { FormDialog } from "../../listing/form-dialog.js";
import { showToast } from "../../parts/toast.js";
import { catalogueWords } from "./words.js";

/** Says that another connector reaches the same institution; its way comes last. */
export function JoinConnectors({
  id,
  name,
  ways,
  onClose,
}: {
  readonly id: string;
  readonly name: string;
  readonly ways: readonly string[];
  readonly onClose: () => void;
}) {
  const words = useWords(catalogueWords);
  return (
    <FormDialog
      title={words.joinTitle(name)}
      lead={words.joinLead}
      path="/operator/v1/connectors/match"
      fields={[
        {
          name: "connector_ids",
          label: words.joinWith,
          isRequired: true,
          control: (field) => <ConnectorField {...field} required except={[id, ...ways]} />,
        },
      ]}
      bodyOf={({ connector_ids: other = "" }) => ({
        connector_ids: [...new Set([...(ways.length > 0 ? ways : [id]), other])],
        as: "one",
      })}
      action={words.joinAction}
      onDone={() => {
        showToast(words.decided);
        onClose();
      }}
      onClose={onClose}
    />
  );
}
