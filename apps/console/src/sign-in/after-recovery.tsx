import { useMutation } from "@tanstack/react-query";
import { forget, useAnswer } from "../api/answers.js";
import { withFreshProof } from "../api/proving.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { showToast } from "../parts/toast.js";
import { passkeysUnavailableReason } from "./ceremony.js";
import { CeremonyProblem } from "./ceremony-problem.js";
import { joinWords } from "./join-words.js";
import { addPasskey } from "./new-passkey.js";
import { recovered } from "./recovered.js";
import { signInWords } from "./sign-in-words.js";

/** Offers a passkey to somebody who came in by a recovery code, and says how many codes are left. */
export default function AfterRecovery() {
  const words = useWords(joinWords);
  const { obstacles } = useWords(signInWords);
  const left = useAnswer("/passkeys/list", {}).data?.recovery_codes_left;
  const obstacle = passkeysUnavailableReason();
  const close = () => recovered.set(false);
  const add = useMutation({
    mutationFn: () => withFreshProof(() => addPasskey("")),
    async onSuccess() {
      showToast(words.added);
      close();
      await forget(["/passkeys/"]);
    },
  });
  return (
    <Dialog title={words.afterRecoveryTitle} onClose={close}>
      <p>{words.afterRecoveryText}</p>
      {left !== undefined && <p>{words.codesLeft(left)}</p>}
      {obstacle && <p className="notice">{obstacles[obstacle]}</p>}
      <CeremonyProblem error={add.error} cancelled={words.notMade} />
      <div className="actions">
        {obstacle === null && (
          <Button look="first" isBusy={add.isPending} onClick={() => add.mutate()}>
            {words.makePasskey}
          </Button>
        )}
        <Button onClick={close}>{words.later}</Button>
      </div>
    </Dialog>
  );
}
