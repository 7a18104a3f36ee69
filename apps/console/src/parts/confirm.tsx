import { type ReactNode, useState } from "react";
import type { ApiProblem } from "../api/api-problem.js";
import { useWords } from "../language/language.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { TextField } from "./fields.js";
import { partWords } from "./part-words.js";
import { Problem } from "./problem.js";

/** Asks for confirmation before an action that cannot be undone. With `typed`, the user has to type that text first. */
export function Confirm({
  title,
  effects,
  children,
  action,
  typed,
  look = "ends",
  isBusy = false,
  problem = null,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  /** What will happen, a line each. */
  readonly effects: readonly [string, ...string[]];
  /** More about it, such as what the server counts. */
  readonly children?: ReactNode;
  /** The label of the button, such as `Delete the connection`. */
  readonly action: string;
  readonly typed?: string;
  readonly look?: "ends" | "first";
  readonly isBusy?: boolean;
  readonly problem?: ApiProblem | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const words = useWords(partWords);
  const [text, setText] = useState("");
  const isTyped = typed === undefined || text.trim() === typed;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && !isBusy) onConfirm();
        }}
      >
        {effects.map((effect) => (
          <p key={effect}>{effect}</p>
        ))}
        {children}
        {typed !== undefined && (
          <TextField label={words.typeToConfirm(typed)} value={text} onChange={setText} autoComplete="off" />
        )}
        <Problem problem={problem} />
        <div className="actions">
          <Button type="submit" look={look} isBusy={isBusy} reason={isTyped ? null : words.notYetTyped}>
            {action}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
