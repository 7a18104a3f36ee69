import { useState } from "react";
import { useWords } from "../../language/language.js";
import { DropZone } from "../../parts/drop-zone.js";
import { base64Of } from "../../parts/file-field.js";
import { mappingWords } from "./words.js";

/** The server accepts 900,000 characters of Base64; of a larger file the beginning is used. */
const MAX_BYTES = 600_000;

/** A file of the bank, as sent to the server. */
export interface Sample {
  readonly name: string;
  readonly bytes: number;
  readonly isCut: boolean;
  readonly body: { readonly file: string; readonly file_name: string };
}

/** The file with which a mapping is tested. */
export function useSample() {
  const [sample, setSample] = useState<Sample | null>(null);
  async function choose(file: File | null): Promise<void> {
    if (file === null || file.size === 0) return setSample(null);
    const isCut = file.size > MAX_BYTES;
    const part = isCut ? await wholeLines(file) : file;
    setSample({ name: file.name, bytes: part.size, isCut, body: { file: await base64Of(part), file_name: file.name } });
  }
  return { sample, choose: (file: File | null) => void choose(file) };
}

/** The beginning of a file that is too large, up to its last complete line. */
async function wholeLines(file: File): Promise<Blob> {
  const bytes = new Uint8Array(await file.slice(0, MAX_BYTES).arrayBuffer());
  const end = bytes.lastIndexOf(0x0a) + 1;
  return new Blob([end > 0 ? bytes.subarray(0, end) : bytes]);
}

export function SampleFile({
  sample,
  onChoose,
}: {
  readonly sample: Sample | null;
  readonly onChoose: (file: File | null) => void;
}) {
  const words = useWords(mappingWords);
  return (
    <DropZone label={words.file} onChoose={onChoose}>
      <p role="status">
        {sample && `${sample.name}, ${sample.bytes} B`}
        {sample?.isCut && ` (${words.cut})`}
      </p>
    </DropZone>
  );
}
