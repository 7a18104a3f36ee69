import { useEffect, useLayoutEffect, useRef } from "react";
import { createStored, useStored } from "../shell/stored.js";
import { openDialogs } from "./dialog.js";

interface Message {
  readonly text: string;
  readonly tone: "good" | "bad";
}

const SHOWN_MS = 6_000;
const message = createStored<Message | null>(null);

/** Shows for a few seconds what happened, and announces it to screen readers. Anything that needs a reaction belongs on the screen. */
export function showToast(text: string, tone: Message["tone"] = "good"): void {
  message.set({ text, tone });
}

/** Where {@link showToast} shows its messages. The shell renders it once. */
export function Toast() {
  const shown = useStored(message);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => message.set(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  const place = useRef<HTMLDivElement>(null);
  const above = useStored(openDialogs);
  useLayoutEffect(() => {
    const element = place.current;
    if (shown === null || above === 0 || !element) return;
    // Above the dialogs: what comes last to the top layer lies on top.
    element.popover = "manual";
    element.showPopover();
    return () => {
      element.popover = null;
    };
  }, [shown, above]);
  return (
    <div ref={place} className="toast" role="status">
      {shown && <p className={shown.tone}>{shown.text}</p>}
    </div>
  );
}
