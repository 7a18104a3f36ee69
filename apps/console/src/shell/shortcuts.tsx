import { useEffect, useRef, useState } from "react";
import { usePerson } from "../api/session.js";
import { useWords } from "../language/language.js";
import { useAddress } from "../parts/address.js";
import { Dialog } from "../parts/dialog.js";
import { isForPage } from "../parts/page-keys.js";
import { undoWords } from "../undo/undo-words.js";
import { navigationOf } from "./navigation.js";
import { shellWords } from "./shell-words.js";

/** The longest time between `g` and its digit. */
const TOGETHER_MS = 1_500;

/** How the keys of the search are written on this device. */
export const FIND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/**
 * Keyboard shortcuts: `?` lists them, `/` focuses the search of a screen (`input[type=search]`), `g` and a digit open a screen. They are inactive
 * while the user types. ⌘ or Ctrl with K searches everything, also then.
 */
export function Shortcuts({
  onFind,
  onMayFind,
}: {
  readonly onFind: () => void;
  /** Called when the first of its keys is down. */
  readonly onMayFind: () => void;
}) {
  const words = useWords(shellWords);
  const undoing = useWords(undoWords);
  const person = usePerson();
  const { go } = useAddress();
  const [isShown, setShown] = useState(false);
  const lastG = useRef(0);
  const targets = navigationOf(person)
    .flatMap(({ screens }) => screens)
    .slice(0, 9);
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (event.key === "Control" || event.key === "Meta") onMayFind();
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (!document.querySelector("dialog[open]")) onFind();
        return;
      }
      if (!isForPage(event)) return;
      const search = document.querySelector<HTMLElement>("main input[type=search]");
      if (event.key === "?") setShown(true);
      else if (event.key === "/" && search) search.focus();
      else if (event.key === "g") lastG.current = event.timeStamp;
      else if (/^[1-9]$/.test(event.key) && event.timeStamp - lastG.current < TOGETHER_MS) {
        const to = targets[Number(event.key) - 1];
        if (to) go(to.path);
      } else return;
      event.preventDefault();
    }
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });
  if (!isShown) return null;
  return (
    <Dialog title={words.shortcuts} onClose={() => setShown(false)}>
      <dl className="keys">
        <Key keys={[FIND_KEY]} does={words.keyFind} />
        <Key keys={["?"]} does={words.keyHelp} />
        <Key keys={["/"]} does={words.keySearch} />
        <Key keys={["↓", "↑"]} does={words.keyRows} />
        <Key keys={["j", "k"]} does={words.keyRows} />
        <Key keys={["x"]} does={words.keyChoose} />
        {person.may("work") && (
          <>
            <Key keys={["a"]} does={words.keyNext} />
            <Key keys={["t"]} does={words.keyTake} />
            <Key keys={["s"]} does={words.keySnooze} />
            <Key keys={["h"]} does={words.keyHandOver} />
          </>
        )}
        <Key keys={["z"]} does={undoing.keyUndo} />
        <Key keys={["Ctrl/⌘", "z"]} does={undoing.keyUndo} />
        <Key keys={["Esc"]} does={words.keyClose} />
        {targets.map((screen, index) => (
          <Target key={screen.path} digit={index + 1} title={screen.title} />
        ))}
      </dl>
    </Dialog>
  );
}

function Target({ digit, title }: { readonly digit: number; readonly title: Parameters<typeof useWords<string>>[0] }) {
  return <Key keys={["g", String(digit)]} does={useWords(title)} />;
}

function Key({ keys, does }: { readonly keys: readonly string[]; readonly does: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  );
}
