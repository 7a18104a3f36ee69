import type { ReactNode } from "react";

/** A status in one word. The colour only repeats it. */
export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: "good" | "warn" | "bad" | "neutral";
  readonly children: ReactNode;
}) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
