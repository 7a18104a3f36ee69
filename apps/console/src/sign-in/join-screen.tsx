import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiProblem, faultOf, isAtFields } from "../api/api-problem.js";
import { call } from "../api/call.js";
import type { AnswerOf } from "../api/paths.js";
import { renewSession } from "../api/session.js";
import { useWords } from "../language/language.js";
import { useAddress } from "../parts/address.js";
import { Button } from "../parts/button.js";
import { Facts } from "../parts/facts.js";
import { TextField } from "../parts/fields.js";
import { Loading } from "../parts/loading.js";
import { Problem } from "../parts/problem.js";
import { showToast } from "../parts/toast.js";
import { passkeysUnavailableReason } from "./ceremony.js";
import { CeremonyProblem } from "./ceremony-problem.js";
import { joinWords } from "./join-words.js";
import { addPasskey, joinWithPasskey } from "./new-passkey.js";
import { RecoveryCodes } from "./recovery-codes.js";
import { signInWords } from "./sign-in-words.js";

/** The fragment of the link, which no server or log sees. It is removed from the address immediately, so that it does not stay in the history. */
const invitation = takeInvitation();

function takeInvitation(): string | null {
  const found = location.hash.slice(1);
  history.replaceState(history.state, "", location.pathname);
  return found === "" ? null : found;
}

/** The page of an invitation: a name, a passkey, the recovery codes, and the offer of a second passkey. */
export default function JoinScreen() {
  const words = useWords(joinWords);
  const { go } = useAddress();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isKept, setKept] = useState(false);
  const shown = useQuery<AnswerOf<"/join/show">, ApiProblem>({
    queryKey: ["/join/show", "own"],
    queryFn: () => call("/join/show", { invitation: invitation ?? "" }),
    enabled: invitation !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = codes === null ? words.joinTitle : isKept ? words.secondTitle : words.codesTitle;
  useEffect(() => {
    document.title = `${title} – Wealth Connect`;
  }, [title]);
  async function arrive(): Promise<void> {
    await renewSession();
    go("/");
  }
  const known = { INVITATION_ENDED: words.invitationEnded, NOT_FOUND: words.invitationEnded };
  if (codes !== null && isKept)
    return (
      <>
        <h1>{title}</h1>
        <SecondPasskey onDone={() => void arrive()} />
      </>
    );
  return (
    <>
      <h1>{title}</h1>
      {codes !== null ? (
        <RecoveryCodes codes={codes} onSaved={() => setKept(true)} />
      ) : invitation === null ? (
        <p className="notice">{words.noInvitation}</p>
      ) : shown.data ? (
        <FirstPasskey invitation={invitation} invited={shown.data} known={known} onJoined={setCodes} />
      ) : shown.isError ? (
        <Problem problem={shown.error} known={known} />
      ) : (
        <Loading />
      )}
    </>
  );
}

function FirstPasskey({
  invitation,
  invited,
  known,
  onJoined,
}: {
  readonly invitation: string;
  readonly invited: AnswerOf<"/join/show">;
  readonly known: Readonly<Record<string, string>>;
  readonly onJoined: (codes: readonly string[]) => void;
}) {
  const words = useWords(joinWords);
  const { obstacles, email: emailLabel } = useWords(signInWords);
  const [name, setName] = useState(invited.name);
  const [email, setEmail] = useState("");
  const obstacle = passkeysUnavailableReason();
  const join = useMutation({ mutationFn: () => joinWithPasskey(invitation, name, email), onSuccess: onJoined });
  const problem = join.error instanceof ApiProblem ? join.error : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        join.mutate();
      }}
    >
      <p className="lead">
        {invited.email !== null && words.joinFor(invited.email)} {words.joinLead}
      </p>
      {invited.tenant_name && <Facts facts={[["Wealth Connect", invited.tenant_name]]} />}
      {obstacle && <p className="notice">{obstacles[obstacle]}</p>}
      {!isAtFields(problem, ["name", "email"]) && (
        <CeremonyProblem error={join.error} cancelled={words.notMade} known={known} />
      )}
      <TextField
        label={words.name}
        hint={words.nameHint}
        fault={faultOf(problem, "name")}
        required
        autoComplete="name"
        value={name}
        onChange={setName}
      />
      {invited.email === null && (
        <TextField
          {...{ label: emailLabel, hint: words.ownEmailHint, type: "email", autoComplete: "email", required: true }}
          {...{ value: email, onChange: setEmail, fault: faultOf(problem, "email") }}
        />
      )}
      {obstacle === null && (
        <Button type="submit" look="first" isBusy={join.isPending}>
          {words.makePasskey}
        </Button>
      )}
    </form>
  );
}

function SecondPasskey({ onDone }: { readonly onDone: () => void }) {
  const words = useWords(joinWords);
  const add = useMutation({
    // The first passkey started the session; this fetches its CSRF token.
    mutationFn: async () => {
      await renewSession();
      await addPasskey("");
    },
    onSuccess: () => {
      showToast(words.added);
      onDone();
    },
  });
  return (
    <>
      <p>{words.secondText}</p>
      <CeremonyProblem error={add.error} cancelled={words.notMade} />
      <div className="actions">
        <Button look="first" isBusy={add.isPending} onClick={() => add.mutate()}>
          {words.addSecond}
        </Button>
        <Button onClick={onDone}>{words.later}</Button>
      </div>
    </>
  );
}
