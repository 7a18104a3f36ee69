import { useEffect, useRef } from "react";
import type { WidgetState } from "../src/widget-state.js";
import type { Session } from "./use-session.js";

/** Back on the login page of a bank that was chosen leads to the choice, as people expect; anywhere else it leaves the page. */
export function useBackButton(state: WidgetState, session: Session): void {
  const choosable = state.screen === "credentials" && !state.bank_fixed;
  const send = useRef(session.send);
  send.current = session.send;

  useEffect(() => {
    if (!choosable) return;
    if (history.state !== "login") history.pushState("login", "");
    const back = () => send.current("change-bank");
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, [choosable]);
}
