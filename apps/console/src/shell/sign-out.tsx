import { useMutation } from "@tanstack/react-query";
import { call } from "../api/call.js";
import { forgetPersonal } from "../api/personal.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { shellWords } from "./shell-words.js";

/**
 * Ends the session and, if the identity provider has a page for that, the session there. Reloads the page, so that nothing of it stays in the tab.
 */
export function useSignOut() {
  return useMutation({
    mutationFn: () => call("/sign-out", {}),
    onSuccess({ sign_out_url }) {
      forgetPersonal();
      location.assign(sign_out_url ?? "/console/signed-out");
    },
  });
}

/** Signs out. */
export function SignOut() {
  const words = useWords(shellWords);
  const signOut = useSignOut();
  return (
    <Button look="plain" icon="signOut" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
      {words.signOut}
    </Button>
  );
}
