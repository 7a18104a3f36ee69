import { Link as RouterLink } from "@tanstack/react-router";
import type { ReactNode } from "react";

export interface LinkProps {
  /** Of a screen, such as `/letters/3f…`; without `/console`. */
  readonly to: string;
  /** What the address says besides, such as a filter. */
  readonly search?: Readonly<Record<string, string>>;
  readonly className?: string;
  readonly "aria-current"?: "page" | undefined;
  readonly children: ReactNode;
  readonly onClick?: () => void;
}

/** A link to a screen. Its code is loaded as soon as somebody is about to follow it. */
export function Link({ to, search, children, ...rest }: LinkProps) {
  const target = { to, search: search ?? {} } as never as { to: "/" };
  return (
    <RouterLink {...target} {...rest} preload="intent">
      {children}
    </RouterLink>
  );
}
