import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { feedsWords } from "./words.js";

type Excerpt = AnswerOf<"/operator/v1/datafeeds/show-pending">["excerpt"];

/** An excerpt of a file's text, with the faulty line marked. */
export function FileText({ excerpt }: { readonly excerpt: Excerpt }) {
  const words = useWords(feedsWords);
  const { place, lines, is_text } = excerpt;
  if (!is_text) return <p className="notice">{words.noText}</p>;
  if (lines.length === 0) return <p className="notice">{words.emptyFile}</p>;
  return (
    <figure>
      <figcaption className="quiet">
        {place === null ? words.beginning : words.around(place.line, place.column)}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the keyboard. */}
      <pre className="excerpt" tabIndex={0}>
        {lines.map(({ line, skipped, text, is_cut }) => {
          const isFault = line === place?.line;
          return (
            <code key={line} className={isFault ? "fault-line" : undefined}>
              <span className="line-number">{line}</span>
              {isFault && <span className="spoken">{words.faultHere} </span>}
              {skipped > 0 && "…"}
              {text}
              {is_cut && "…"}
              {"\n"}
            </code>
          );
        })}
      </pre>
    </figure>
  );
}
