import { useEffect, useRef, useState } from "react";
import { inWords } from "../src/fault-words.js";
import { useScreen } from "./screen.js";

/** A labelled field with its hint and its error, both tied to it. What is in it stays in it: nothing is kept elsewhere. */
export function Field(props: {
  name: string;
  label: string;
  hint?: string | undefined;
  secret?: boolean;
  autoComplete: "username" | "current-password" | "one-time-code";
}) {
  const { name, label, hint, secret = false, autoComplete } = props;
  const { messages, faults, typed } = useScreen();
  const [shown, setShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const fault = inWords(messages, faults).find(({ field }) => field === name);
  const described = [hint !== undefined && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");

  const hadFocus = typed?.focused === name;
  useEffect(() => {
    if (hadFocus) input.current?.focus();
  }, [hadFocus]);

  return (
    <>
      <label htmlFor={name}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p className="fault" id={`${name}-fault`}>
          {fault.message}
        </p>
      )}
      <input
        ref={input}
        id={name}
        name={name}
        type={secret && !shown ? "password" : "text"}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={typed?.values.get(name)}
        aria-invalid={fault ? true : undefined}
        aria-describedby={described === "" ? undefined : described}
      />
      {secret && (
        <label className="reveal">
          <input type="checkbox" checked={shown} onChange={(event) => setShown(event.currentTarget.checked)} />
          {messages.showPassword}
        </label>
      )}
    </>
  );
}
