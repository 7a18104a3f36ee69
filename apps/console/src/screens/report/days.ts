import { useLanguage } from "../../language/language.js";
import { dayFormat } from "../../parts/moment.js";

/** Writes calendar days (YYYY-MM-DD) in the report's language. */
export function useDay(): (at: string) => string {
  const language = useLanguage();
  return (at) => dayFormat(at, language, "medium").format(new Date(at));
}
