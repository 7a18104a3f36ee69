import { useWords } from "../language/language.js";
import { partWords } from "./part-words.js";

/** Until the first answer is there: as many grey lines as there will be, about. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  const words = useWords(partWords);
  return (
    <div className="loading" role="status">
      <span className="spoken">{words.loading}</span>
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <span key={line} className="line" aria-hidden="true" />
      ))}
    </div>
  );
}
