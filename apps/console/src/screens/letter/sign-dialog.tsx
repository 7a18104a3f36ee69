import { useState } from "react";
import { useChange } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { base64Of, FileField } from "../../parts/file-field.js";
import { MoveEffects } from "../../parts/move-effects.js";
import { Problem } from "../../parts/problem.js";
import { letterTerms } from "../letters/letter-terms.js";
import { lettersWords } from "../letters/words.js";
import type { Letter } from "./letter-history.js";
import { letterWords } from "./words.js";

/** Attaches the signed copy of a generated letter. */
export function SignDialog({
  letter,
  effects,
  onDone,
  onClose,
}: {
  readonly letter: Letter;
  readonly effects: Letter["moves"][number]["effects"];
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const words = useWords(letterWords);
  const { file: fileLabel, annex: annexLabel } = useWords(lettersWords);
  const { moves } = useWords(letterTerms);
  const [file, setFile] = useState<File | null>(null);
  const [annex, setAnnex] = useState<File | null>(null);
  const sign = useChange("/operator/v1/letters/sign", { onDone });
  async function send(signed: File): Promise<void> {
    sign.mutate({
      letter_id: letter.id,
      data: await base64Of(signed),
      ...(annex && { annex: await base64Of(annex) }),
    });
  }
  return (
    <Dialog title={moves.sign} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== null && !sign.isPending) void send(file);
        }}
      >
        <MoveEffects effects={[effects]} />
        <FileField label={fileLabel} accept="application/pdf" fault={faultOf(sign.error, "data")} onChange={setFile} />
        <FileField
          label={annexLabel}
          accept="application/pdf"
          fault={faultOf(sign.error, "annex")}
          onChange={setAnnex}
        />
        <Problem problem={sign.error} />
        <div className="actions">
          <Button type="submit" look="first" isBusy={sign.isPending} reason={file === null ? words.fileFirst : null}>
            {moves.sign}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
