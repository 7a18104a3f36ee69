import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button, type ButtonProps } from "./button.js";
import type { IconName } from "./icon.js";

/** One action of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly look?: "ends";
  /** Why it cannot be done now; null or left out if it can. */
  readonly reason?: string | null;
  readonly onSelect: () => void;
}

/** A button that opens a list of actions (ARIA Authoring Practices, menu button). */
export function Menu({
  label,
  items,
  button = {},
}: {
  readonly label: ReactNode;
  readonly items: readonly MenuItem[];
  readonly button?: Pick<ButtonProps, "look" | "icon" | "isIconOnly">;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    list.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const away = (event: Event) => {
      if (!frame.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [isOpen]);

  function close(): void {
    setOpen(false);
    frame.current?.querySelector("button")?.focus();
  }

  function move(event: KeyboardEvent): void {
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") setOpen(false);
    else if (to !== undefined) all[to % all.length]?.focus();
    else return;
    if (event.key !== "Tab") event.preventDefault();
  }

  return (
    <div className="menu" ref={frame}>
      <Button
        {...button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      {isOpen && (
        <div className="menu-list" role="menu" id={id} ref={list} tabIndex={-1} onKeyDown={move}>
          {items.map(({ label: words, icon, look, reason = null, onSelect }) => (
            <Button
              key={words}
              role="menuitem"
              tabIndex={-1}
              look={look ?? "plain"}
              reason={reason}
              {...(icon && { icon })}
              onClick={() => {
                close();
                onSelect();
              }}
            >
              {words}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
