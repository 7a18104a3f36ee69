import { type ReactNode, useState } from "react";
import { FileField } from "./file-field.js";

/** Accepts a local file, which can be dropped on it. */
export function DropZone({
  label,
  fault,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly fault?: string | null;
  readonly onChoose: (file: File | null) => void;
  /** What is known about the file. */
  readonly children?: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard.
    <div
      className={`drop-zone ${isOver ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onChoose(event.dataTransfer.files[0] ?? null);
      }}
    >
      <FileField label={label} fault={fault ?? null} onChange={onChoose} />
      {children}
    </div>
  );
}
