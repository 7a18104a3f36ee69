import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { forget, useAnswer, useChange } from "../../api/answers.js";
import type { OwnPasskey } from "../../api/paths.js";
import { withFreshProof } from "../../api/proving.js";
import { labelled, useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/fields.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { passkeysUnavailableReason } from "../../sign-in/ceremony.js";
import { CeremonyProblem } from "../../sign-in/ceremony-problem.js";
import { addPasskey } from "../../sign-in/new-passkey.js";
import { signInWords } from "../../sign-in/sign-in-words.js";
import { accountWords } from "./words.js";

/** The user's passkeys, to add and remove. */
export function OwnPasskeys() {
  const words = useWords(accountWords);
  const found = useAnswer("/passkeys/list", {});
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<OwnPasskey | null>(null);
  const keys = found.data?.items ?? [];
  const remove = useChange("/passkeys/remove", {
    onDone() {
      showToast(words.removed);
      setRemoving(null);
    },
  });
  const nameOf = ({ name }: OwnPasskey) => name || words.unnamed;
  return (
    <section>
      <header className="section-head">
        <h2>{words.passkeys}</h2>
        <Button onClick={() => setAdding(true)}>{words.add}</Button>
      </header>
      <Problem problem={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && !found.error && <Loading lines={2} />}
      {keys.length === 1 && <p className="notice">{words.onlyOne}</p>}
      {keys.length > 0 && (
        <DataTable
          caption={words.passkeys}
          rows={keys}
          keyOf={({ id }) => id}
          columns={[
            { id: "name", header: words.passkey, cell: nameOf },
            {
              id: "kept",
              header: "",
              cell: ({ is_backed_up }) => <Badge>{is_backed_up ? words.synced : words.single}</Badge>,
              isWideOnly: true,
            },
            { id: "created", header: words.created, cell: (key) => <Moment at={key.created_at} />, isWideOnly: true },
            {
              id: "used",
              header: words.used,
              cell: (key) => (key.used_at ? <Moment at={key.used_at} /> : words.never),
            },
            {
              id: "remove",
              header: "",
              cell: (key) => (
                <Button
                  look="ends"
                  reason={keys.length === 1 ? words.lastOne : null}
                  aria-label={labelled(words.remove, nameOf(key))}
                  onClick={() => setRemoving(key)}
                >
                  {words.remove}
                </Button>
              ),
            },
          ]}
        />
      )}
      {isAdding && <NewPasskey onClose={() => setAdding(false)} />}
      {removing && (
        <Confirm
          title={words.removeTitle(nameOf(removing))}
          action={words.remove}
          isBusy={remove.isPending}
          problem={remove.error}
          onConfirm={() => remove.mutate({ passkey_id: removing.id })}
          onClose={() => setRemoving(null)}
          effects={[words.removeText]}
        />
      )}
    </section>
  );
}

function NewPasskey({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(accountWords);
  const { obstacles } = useWords(signInWords);
  const [name, setName] = useState("");
  const obstacle = passkeysUnavailableReason();
  const add = useMutation({
    mutationFn: () => withFreshProof(() => addPasskey(name)),
    async onSuccess() {
      showToast(words.added);
      onClose();
      await forget(["/passkeys/"]);
    },
  });
  return (
    <Dialog title={words.add} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (obstacle === null) add.mutate();
        }}
      >
        {obstacle && <p className="notice">{obstacles[obstacle]}</p>}
        <CeremonyProblem error={add.error} cancelled={words.cancelled} />
        <TextField label={words.nameOfKey} hint={words.nameHint} maxLength={100} value={name} onChange={setName} />
        <Button type="submit" look="first" isBusy={add.isPending} reason={obstacle && obstacles[obstacle]}>
          {words.add}
        </Button>
      </form>
    </Dialog>
  );
}
