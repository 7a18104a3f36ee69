import { useState } from "react";
import { forget, useAnswer, useChange } from "../../api/answers.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { Dialog } from "../../parts/dialog.js";
import { RecoveryCodes } from "../../sign-in/recovery-codes.js";
import { accountWords } from "./words.js";

/** The number of the user's remaining recovery codes, and a button that replaces them. */
export function OwnCodes() {
  const words = useWords(accountWords);
  const left = useAnswer("/passkeys/list", {}).data?.recovery_codes_left;
  const [isAsking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const renew = useChange("/recovery-codes/new", {
    onDone({ recovery_codes }) {
      setAsking(false);
      setCodes(recovery_codes);
      void forget(["/passkeys/"]);
    },
  });
  return (
    <section>
      <header className="section-head">
        <h2>{words.codes}</h2>
        <Button onClick={() => setAsking(true)}>{words.newCodes}</Button>
      </header>
      {left !== undefined && <p>{words.codesLeft(left)}</p>}
      {isAsking && (
        <Confirm
          title={words.newCodesTitle}
          action={words.newCodes}
          look="first"
          isBusy={renew.isPending}
          problem={renew.error}
          onConfirm={() => renew.mutate({})}
          onClose={() => setAsking(false)}
          effects={[words.newCodesText]}
        />
      )}
      {codes && (
        <Dialog title={words.codes} onClose={() => setCodes(null)}>
          <RecoveryCodes codes={codes} onSaved={() => setCodes(null)} />
        </Dialog>
      )}
    </section>
  );
}
