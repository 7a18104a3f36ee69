import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { breakable } from "./breakable.js";

/** A screen: its one heading, actions, a sentence about its purpose, and its content. */
export function Screen({
  title,
  actions,
  lead,
  above,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly lead?: ReactNode;
  /** A link back, above the heading. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} – Wealth Connect`;
  }, [title]);
  // After navigation, moves the focus to the heading, so that screen readers announce the new screen. For the first screen the browser does this.
  useEffect(() => {
    if (shown !== null && shown !== pathname) heading.current?.focus();
    shown = pathname;
  }, [pathname]);
  return (
    <article className="screen">
      {above && <div className="above">{above}</div>}
      <header className="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {breakable(title)}
        </h1>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {lead && <p className="lead">{lead}</p>}
      {children}
    </article>
  );
}

/** The path of the previous screen. */
let shown: string | null = null;
