import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon, type IconName } from "./icon.js";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> {
  /** `first` is the main action of a screen, at most one; `ends` is destructive; `plain` looks like a link. */
  readonly look?: "first" | "ends" | "plain" | "usual";
  /** While busy, the button stays in place, keeps the focus and does nothing. */
  readonly isBusy?: boolean;
  /** Why it does nothing now; null or left out if it works. Screen readers read it with the button. */
  readonly reason?: string | null;
  readonly icon?: IconName;
  /** Shows no text, which remains the accessible name. */
  readonly isIconOnly?: boolean;
  readonly children: ReactNode;
}

/** A button. It is never `disabled`, which would hide it from the keyboard; instead it says why it does nothing. */
export function Button({
  look = "usual",
  isBusy = false,
  reason = null,
  icon,
  isIconOnly = false,
  className = "",
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  const isIdle = isBusy || reason !== null;
  return (
    <button
      {...rest}
      type={type}
      className={`button ${look} ${isIconOnly ? "icon-only" : ""} ${className}`}
      aria-disabled={isIdle || undefined}
      aria-busy={isBusy || undefined}
      title={reason ?? rest.title}
      onClick={(event) => {
        if (isIdle) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon && <Icon name={icon} />}
      {isIconOnly ? <span className="spoken">{children}</span> : children}
      {reason !== null && <span className="spoken"> ({reason})</span>}
    </button>
  );
}
