import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { TextToCustodian } from "../feeds/text-to-custodian.js";
import { workWords } from "./words.js";
import type { WorkLine } from "./work-places.js";

/** Whether the next step of a line is a question to the custodian. */
export function asksCustodian({ action }: WorkLine): boolean {
  return action === "ask_custodian";
}

/** A text that asks the custodian, with the address that the letter has. */
export function AskCustodian({ line }: { readonly line: WorkLine }) {
  const { dialogs } = useWords(workWords);
  const [isOpen, setOpen] = useState(false);
  const { letter_id = line.subject.id, institution = "", client_name, status } = line.details;
  const letter = useAnswer("/operator/v1/letters/show", { letter_id }, { enabled: isOpen });
  const isFeed = line.kind === "feed_silent" || status === "WaitingForData";
  return (
    <>
      <p>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {dialogs.write(institution)}
        </Button>
      </p>
      {isOpen && !letter.isPending && (
        <TextToCustodian
          to={letter.data?.letter.contact_info.banker_email ?? null}
          subject={dialogs.askSubject(institution)}
          text={dialogs.askText(client_name ?? dialogs.askClient, isFeed)}
        />
      )}
    </>
  );
}
