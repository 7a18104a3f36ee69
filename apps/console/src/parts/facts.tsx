import type { ReactNode } from "react";
import { breakable } from "./breakable.js";

/** The properties of one object as names and values. Values that are null, undefined or empty are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{breakable(value)}</dd>
          </div>
        ))}
    </dl>
  );
}
