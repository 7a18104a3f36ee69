import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "./button.js";
import type { IconName } from "./icon.js";

/** One action of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly look?: "ends";
  /** For an item that is one of several choices: whether it is the one in effect. */
  readonly isChosen?: boolean;
  /** Why it cannot be done now; null or left out if it can. */
  readonly reason?: string | null;
  readonly onSelect: () => void;
}

/** Pixels between a list and the edge of the window. */
const MARGIN = 8;
/** Pixels between a list and its button. */
const GAP = 4;

/** Puts a list below its button, or above if there is no room below, always inside the window. */
function place(list: HTMLElement, button: Element): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const { right, top, bottom } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = list;
  const fitsBelow = bottom + GAP + height <= clientHeight - MARGIN;
  const inside = (at: number, most: number) => `${Math.max(MARGIN, Math.min(at, most - MARGIN))}px`;
  list.style.left = inside(right - width, clientWidth - width);
  list.style.top = inside(fitsBelow ? bottom + GAP : top - GAP - height, clientHeight - height);
}

/** A button that opens a list of actions (ARIA Authoring Practices, menu button). The list is in the top layer, which no table cuts off. */
export function Menu({
  label,
  items,
  choice = "one",
  button = {},
}: {
  readonly label: ReactNode;
  readonly items: readonly MenuItem[];
  /** Whether one of the choices is in effect, or any number of them; then the list stays open. */
  readonly choice?: "one" | "many";
  readonly button?: Pick<ButtonProps, "look" | "icon" | "isIconOnly">;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = list.current;
    const button = frame.current?.querySelector("button");
    if (!isOpen || !shown || !button) return;
    shown.showPopover();
    const follow = () => place(shown, button);
    follow();
    shown.querySelector<HTMLElement>("[role^=menuitem]")?.focus({ preventScroll: true });
    const away = (event: Event) => {
      if (!frame.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("scroll", follow, true);
    window.addEventListener("resize", follow);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("scroll", follow, true);
      window.removeEventListener("resize", follow);
    };
  }, [isOpen]);

  function close(): void {
    setOpen(false);
    frame.current?.querySelector("button")?.focus();
  }

  function move(event: KeyboardEvent): void {
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
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
        <div className="menu-list" role="menu" popover="manual" id={id} ref={list} tabIndex={-1} onKeyDown={move}>
          {items.map(({ label: words, icon, look, isChosen, reason = null, onSelect }) => (
            <Button
              key={words}
              role={isChosen === undefined ? "menuitem" : choice === "one" ? "menuitemradio" : "menuitemcheckbox"}
              aria-checked={isChosen}
              tabIndex={-1}
              look={look ?? "plain"}
              reason={reason}
              {...(isChosen !== undefined && { icon: "check" as const })}
              {...(icon && { icon })}
              onClick={() => {
                if (choice === "one") close();
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
