import { useMutation } from "@tanstack/react-query";
import type { SignInMethods } from "../api/paths.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { partWords } from "../parts/part-words.js";
import { passkeysUnavailableReason, proveWithPasskey } from "./ceremony.js";
import { CeremonyProblem } from "./ceremony-problem.js";
import { signInWords } from "./sign-in-words.js";

/** Users of an identity provider confirm in a separate tab, so that what is open here stays. */
const CONFIRM_ADDRESS = "/console/sign-in/provider/confirm";

/** Asks for the passkey, or the identity provider, before a sensitive action. */
export function ProveDialog({
  settle,
  methods,
}: {
  readonly settle: (proved: boolean) => void;
  readonly methods: SignInMethods;
}) {
  const words = useWords(signInWords);
  const { cancel } = useWords(partWords);
  const prove = useMutation({ mutationFn: proveWithPasskey, onSuccess: () => settle(true) });
  const obstacle = methods.passkeys ? passkeysUnavailableReason() : null;
  return (
    <Dialog title={words.proveTitle} onClose={() => settle(false)}>
      <p>{methods.identity_provider ? words.proveTextProvider : words.proveText}</p>
      {methods.identity_provider && (
        <>
          <p>{words.proveInTab}</p>
          <a className="button usual" href={CONFIRM_ADDRESS} target="_blank" rel="noreferrer">
            {words.proveWithProvider(methods.identity_provider.name)}
          </a>
        </>
      )}
      {obstacle && <p className="notice">{words.obstacles[obstacle]}</p>}
      <CeremonyProblem error={prove.error} cancelled={words.nothingGiven} />
      <div className="actions">
        {methods.identity_provider ? (
          <Button look="first" onClick={() => settle(true)}>
            {words.proved}
          </Button>
        ) : (
          <Button look="first" isBusy={prove.isPending} onClick={() => prove.mutate()}>
            {words.prove}
          </Button>
        )}
        <Button onClick={() => settle(false)}>{cancel}</Button>
      </div>
    </Dialog>
  );
}
