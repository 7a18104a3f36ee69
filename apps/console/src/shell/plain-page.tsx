import type { ReactNode } from "react";
import { LanguageSwitch } from "./language-switch.js";
import { Mark } from "./mark.js";

/** The page frame for people who are not signed in. */
export function PlainPage({ children }: { readonly children: ReactNode }) {
  return (
    <div className="plain-page">
      <header className="plain-head">
        <Mark />
        <LanguageSwitch />
      </header>
      <main className="plain-main">{children}</main>
    </div>
  );
}
