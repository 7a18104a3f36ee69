import { useWords, wordsOf } from "../../language/language.js";
import { Link } from "../../parts/link.js";

const words = wordsOf({ en: "Report", de: "Bericht", fr: "Rapport", es: "Informe" });

/** Leads to the report on a client, or without one on all. */
export function ReportLink({ of }: { readonly of: { readonly ref?: string } }) {
  return (
    <Link to="/report" search={{ ...of }} className="button">
      {useWords(words)}
    </Link>
  );
}
