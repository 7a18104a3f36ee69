import { useEffect } from "react";
import { useSession } from "../api/session.js";
import { useWords } from "../language/language.js";
import { Loading } from "../parts/loading.js";
import { joinWords } from "./join-words.js";
import { SignInScreen } from "./sign-in-screen.js";

/** Where the return path is stored while the user is at their identity provider. */
const KEPT = "wc-authorize";

/**
 * Signs in a user who came from the authorization pages, and leads them back. The fragment contains their request, sealed for this browser; it can
 * only lead to an authorization page of this server.
 */
export default function AuthorizeScreen() {
  const words = useWords(joinWords);
  const session = useSession();
  const person = session.data?.person ?? null;
  useEffect(rememberReturnPath, []);
  useEffect(() => {
    if (person) location.replace(returnPath());
  }, [person]);
  if (session.data === undefined || person) return <Loading />;
  return (
    <>
      <SignInScreen methods={session.data.methods} hasEnded={false} />
      <p className="way-back">
        <a href={returnPath()}>{words.backToRequest}</a>
      </p>
    </>
  );
}

function rememberReturnPath(): void {
  if (location.hash !== "") sessionStorage.setItem(KEPT, location.hash);
}

function returnPath(): string {
  const request = (location.hash || sessionStorage.getItem(KEPT) || "").slice(1);
  if (request === "") return "/grants";
  return `/authorize/continue?${new URLSearchParams({ request, back: "yes" })}`;
}
