import type { ReactNode } from "react";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Copyable } from "../parts/copyable.js";
import { Dialog } from "../parts/dialog.js";
import { QrCode } from "../parts/qr-code.js";
import { listWords } from "./list-words.js";

/** A secret or link that the server returns only once. Only its button closes the dialog. */
export function ShownOnce({
  title,
  texts,
  qr,
  again,
  children,
  onClose,
}: {
  readonly title: string;
  readonly texts: readonly { readonly label: string; readonly text: string }[];
  /** A text to draw as a QR code as well, with its label. */
  readonly qr?: { readonly label: string; readonly text: string };
  /** How another one is made if it is lost; left out where nothing replaces it. */
  readonly again?: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}) {
  const words = useWords(listWords);
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <dl className="facts">
        {texts.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Copyable label={label} text={text} />
            </dd>
          </div>
        ))}
      </dl>
      {qr && <QrCode {...qr} />}
      <p className="quiet">{again ?? words.shownOnce}</p>
      <div className="actions">
        <Button look="first" onClick={onClose}>
          {again === undefined ? words.kept : words.done}
        </Button>
      </div>
    </Dialog>
  );
}
