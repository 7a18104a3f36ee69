import { type ReactNode, useEffect, useId, useRef } from "react";
import { useWords } from "../language/language.js";
import { createStored } from "../shell/stored.js";
import { Button } from "./button.js";
import { partWords } from "./part-words.js";

/**
 * Where the focus of an opened dialog belongs: the first field of its form; without one the way out of what is destructive, or else the main action.
 * Null leaves it to the browser.
 */
function firstStop(dialog: HTMLElement): HTMLElement | null {
  const field = "form :is(input, textarea, select):not([type=hidden], [readonly], :disabled)";
  const action = dialog.querySelector(".actions .ends") ? ".actions .button:not(.ends)" : ".actions .button.first";
  return dialog.querySelector<HTMLElement>(field) ?? dialog.querySelector<HTMLElement>(action);
}

/** How many dialogs are open, one above the other. */
export const openDialogs = createStored(0);

/** A modal dialog. The browser traps the focus, restores it afterwards and closes the dialog on Escape. Render it only while it is open. */
export function Dialog({
  title,
  onClose,
  look = "middle",
  children,
}: {
  readonly title: string;
  /** Escape, the close button, or a press outside. */
  readonly onClose: () => void;
  /** `side`: a drawer at the edge; `wide`: for large content, such as a document; `palette`: the search. */
  readonly look?: "middle" | "side" | "wide" | "palette";
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const words = useWords(partWords);
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    if (shown) firstStop(shown)?.focus();
    openDialogs.set(openDialogs.get() + 1);
    return () => {
      openDialogs.set(openDialogs.get() - 1);
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a press beside the dialog does.
    <dialog
      ref={dialog}
      className={`dialog ${look}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => {
        if (target === dialog.current) onClose();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button look="plain" icon="close" isIconOnly onClick={onClose}>
            {words.close}
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
