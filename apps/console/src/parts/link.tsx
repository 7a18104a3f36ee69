import { Link as RouterLink } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { breakable } from "./breakable.js";

export interface LinkProps {
  /** The path of a screen without `/console`, such as `/letters/3f…`. */
  readonly to: string;
  /** Query parameters, such as a filter. */
  readonly search?: Readonly<Record<string, string>>;
  readonly className?: string;
  readonly "aria-current"?: "page" | undefined;
  readonly children: ReactNode;
  readonly onClick?: () => void;
}

/** A link to a screen. Its code is preloaded when the user is about to follow it. */
export function Link({ to, search, children, ...rest }: LinkProps) {
  const target = { to, search: search ?? {} } as never as { to: "/" };
  return (
    <RouterLink {...target} {...rest} preload="intent">
      {breakable(children)}
    </RouterLink>
  );
}

/** A link to this same screen with other query parameters, as {@link Address.setSearch} takes them; the page stays where it is scrolled to. */
export function LinkHere({
  search,
  children,
  ...rest
}: Pick<LinkProps, "className" | "children"> & Required<Pick<LinkProps, "search">> & { readonly title?: string }) {
  const target = { to: ".", search: (before: object) => ({ ...before, ...search }) } as never as { to: "/" };
  return (
    <RouterLink {...target} {...rest} resetScroll={false}>
      {breakable(children)}
    </RouterLink>
  );
}
