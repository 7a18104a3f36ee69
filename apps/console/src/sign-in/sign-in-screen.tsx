import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiProblem } from "../api/api-problem.js";
import { call } from "../api/call.js";
import type { SignInMethods } from "../api/paths.js";
import { renewSession, tenantAtPage } from "../api/session.js";
import { useWords } from "../language/language.js";
import { useAddress } from "../parts/address.js";
import { Button } from "../parts/button.js";
import { TextField } from "../parts/fields.js";
import { Problem } from "../parts/problem.js";
import {
  cancelPasskeyPrompt,
  offersPasskeysInFields,
  passkeysUnavailableReason,
  signInWithPasskey,
} from "./ceremony.js";
import { CeremonyProblem } from "./ceremony-problem.js";
import { providerAddress, useProviderProblem } from "./provider.js";
import { recovered } from "./recovered.js";
import { signInWords } from "./sign-in-words.js";

/** Signs the user in and stays at the requested address. `hasEnded`: the session has ended, and what was open is kept. */
export function SignInScreen({ methods, hasEnded }: { readonly methods: SignInMethods; readonly hasEnded: boolean }) {
  const words = useWords(signInWords);
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const obstacle = methods.passkeys ? passkeysUnavailableReason() : null;
  const hasPasskeys = methods.passkeys && obstacle === null;
  const { setSearch } = useAddress();
  // Removes the earlier problem from the address after signing in.
  const arrive = useCallback(() => {
    setSearch({ problem: "" });
    return renewSession();
  }, [setSearch]);
  const inField = usePasskeyInField(hasPasskeys, arrive);
  const problem = useProviderProblem();
  const title = hasEnded ? words.endedTitle : words.title;
  useEffect(() => {
    document.title = `${title} – Wealth Connect`;
  }, [title]);
  const passkey = useMutation({
    mutationFn: () => signInWithPasskey(),
    onSuccess: arrive,
  });
  const recovery = useMutation({
    mutationFn: () => call("/sign-in/recover", { email: email.trim(), code: code.trim() }),
    onSuccess() {
      recovered.set(true);
      return arrive();
    },
  });
  // The server does not say which of the two is wrong.
  const isWrong = recovery.error instanceof ApiProblem && recovery.error.code === "REFUSED";
  return (
    <>
      <h1>{title}</h1>
      <p className="lead">{hasEnded ? words.ended : hasPasskeys ? words.lead : null}</p>
      {problem && (
        <p className="notice" role="alert">
          {words.problems[problem]}
        </p>
      )}
      {obstacle && <p className="notice">{words.obstacles[obstacle]}</p>}
      {!methods.passkeys && !methods.identity_provider && <p className="notice">{words.off}</p>}
      <CeremonyProblem error={passkey.error} cancelled={words.nothingGiven} />
      {inField && (
        <TextField
          label={words.email}
          hint={words.emailHint}
          type="email"
          autoComplete="username webauthn"
          value={email}
          onChange={setEmail}
        />
      )}
      <div className="actions stacked">
        {hasPasskeys && (
          <Button look="first" isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
            {words.withPasskey}
          </Button>
        )}
        {methods.identity_provider && (
          <a className="button usual" href={providerAddress(tenantAtPage())}>
            {words.withProvider(methods.identity_provider.name)}
          </a>
        )}
      </div>
      {methods.recovery_codes && (
        <details className="recovery">
          <summary>{words.withCode}</summary>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              recovery.mutate();
            }}
          >
            {!isWrong && <Problem problem={recovery.error} />}
            {!inField && (
              <TextField
                label={words.email}
                type="email"
                required
                autoComplete="username"
                value={email}
                onChange={setEmail}
              />
            )}
            <TextField
              label={words.code}
              hint={words.codeHint}
              fault={isWrong ? words.wrongCode : null}
              required
              autoComplete="off"
              spellCheck={false}
              value={code}
              onChange={(typed) => {
                setCode(typed);
                recovery.reset();
              }}
            />
            <Button type="submit" isBusy={recovery.isPending}>
              {words.useCode}
            </Button>
          </form>
        </details>
      )}
    </>
  );
}

/** Starts to offer passkeys in the field if the browser supports it; a user who picks one is signed in. */
function usePasskeyInField(isWanted: boolean, arrive: () => Promise<unknown>): boolean {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    void offersPasskeysInFields().then((offers) => {
      if (!isOver) setOffered(offers);
    });
    return () => {
      isOver = true;
    };
  }, [isWanted]);
  const arrived = useRef(arrive);
  useEffect(() => {
    arrived.current = arrive;
  }, [arrive]);
  // Offered once: a new offer would end the prompt of the button.
  useEffect(() => {
    if (!isOffered) return;
    // The user did not ask for this prompt, so a failure is not reported.
    signInWithPasskey(true).then(
      () => arrived.current(),
      () => undefined,
    );
    return cancelPasskeyPrompt;
  }, [isOffered]);
  return isOffered;
}
