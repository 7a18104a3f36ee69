import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useLanguage, useWords } from "../../language/language.js";
import { ConfirmChange, FormDialog } from "../../listing/form-dialog.js";
import type { RowOf } from "../../listing/list.js";
import { ShownOnce } from "../../listing/shown-once.js";
import type { MenuItem } from "../../parts/menu.js";
import { applicationWords } from "./words.js";

type Application = RowOf<"/applications/list">;

/** An application with its new secret. */
export type MadeSecret = AnswerOf<"/applications/roll-secret">;
export type SecretChange = "roll" | "remove";

/** The changes of an application's secrets in its menu, with the reason why one is not possible. */
export function secretActions(
  words: typeof applicationWords.en,
  { secrets }: Pick<Application, "secrets">,
  onSelect: (what: SecretChange) => void,
): readonly MenuItem[] {
  const rolls = secrets.length > 1 ? words.twoSecrets : null;
  const removes = secrets.length === 1 ? words.oneSecret : null;
  const none = secrets.length === 0 ? words.ofPeople : null;
  return [
    { label: words.roll, reason: none ?? rolls, onSelect: () => onSelect("roll") },
    { label: words.removeSecret, look: "ends", reason: none ?? removes, onSelect: () => onSelect("remove") },
  ];
}

/** Adds a secret to an application, or removes one. A tenant's people do so for their own applications. */
export function SecretDialog({
  what,
  client_id,
  name,
  secrets,
  onSecret,
  onClose,
}: Pick<Application, "client_id" | "name" | "secrets"> & {
  readonly what: SecretChange;
  readonly onSecret: (made: MadeSecret) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(applicationWords);
  const language = useLanguage();
  const isOperator = usePerson().audience === "operator";
  if (what === "roll")
    return (
      <ConfirmChange
        {...{ title: labelled(words.roll, name), action: words.roll, look: "first", onClose, onDone: onSecret }}
        path={isOperator ? "/operator/v1/applications/roll-secret" : "/applications/roll-secret"}
        body={{ client_id }}
        effects={[isOperator ? words.rollText : words.rollOwn]}
      />
    );
  return (
    <FormDialog
      {...{ title: labelled(words.removeSecret, name), lead: words.removeSecretText }}
      {...{ action: words.removeSecret, onClose }}
      path={isOperator ? "/operator/v1/applications/remove-secret" : "/applications/remove-secret"}
      changes={["/data/v1/list-grants", "/operator/v1/grants/"]}
      fields={[
        {
          name: "secret_id",
          label: words.whichSecret,
          kind: "choice",
          initial: secrets[0]?.secret_id ?? "",
          options: secrets.map(({ secret_id, created_at }) => ({
            value: secret_id,
            label: words.madeAt(new Date(created_at).toLocaleString(language)),
          })),
        },
      ]}
      bodyOf={({ secret_id = "" }) => ({ client_id, secret_id })}
    />
  );
}

/** The secret that an application has just got, with the addresses that it needs. */
export function ApplicationSecret({
  made: { application, client_secret },
  onClose,
}: {
  readonly made: MadeSecret;
  readonly onClose: () => void;
}) {
  const words = useWords(applicationWords);
  return (
    <ShownOnce
      title={words.secretTitle}
      texts={[
        { label: words.clientId, text: application.client_id },
        { label: words.secret, text: client_secret },
        { label: words.tokenAddress, text: `${location.origin}/token` },
        ...(application.tenant_id === null ? [] : [{ label: words.mcpAddress, text: `${location.origin}/mcp` }]),
      ]}
      onClose={onClose}
    />
  );
}
