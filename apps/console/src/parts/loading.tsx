import { useWords } from "../language/language.js";
import { partWords } from "./part-words.js";

/** A placeholder until the first answer arrives. */
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
