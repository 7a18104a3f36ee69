import { useEffect } from "react";
import { useWords } from "../language/language.js";
import { joinWords } from "./join-words.js";
import { signInWords } from "./sign-in-words.js";

/** Shown after signing out. */
export default function SignedOutScreen() {
  const words = useWords(joinWords);
  const { title } = useWords(signInWords);
  useEffect(() => {
    document.title = `${words.signedOutTitle} – Wealth Connect`;
  }, [words]);
  return (
    <>
      <h1>{words.signedOutTitle}</h1>
      <p className="lead">{words.signedOutText}</p>
      <a className="button first" href="/console">
        {title}
      </a>
    </>
  );
}
