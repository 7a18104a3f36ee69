import { Field } from "./fields.js";

/** A field for a local file. */
export function FileField({
  label,
  accept,
  fault,
  onChange,
}: {
  readonly label: string;
  readonly accept?: string;
  readonly fault?: string | null;
  readonly onChange: (file: File | null) => void;
}) {
  return (
    <Field label={label} fault={fault ?? null}>
      {(control) => (
        <input
          {...control}
          type="file"
          accept={accept}
          onChange={({ target }) => onChange(target.files?.[0] ?? null)}
        />
      )}
    </Field>
  );
}

/** The content of a file in Base64, the format of documents in requests. */
export async function base64Of(file: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

/** A document for display and download, from the server's Base64. */
export function pdfOf(base64: string): Blob {
  const text = atob(base64);
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: "application/pdf" });
}
