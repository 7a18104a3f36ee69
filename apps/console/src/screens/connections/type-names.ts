import { messagesIn } from "@org/portfolio-view/messages";
import { useLanguage } from "../../language/language.js";

/** The names of portfolios' and holdings' types and subtypes, by code. */
export function useTypeNames(): Readonly<Record<string, string>> {
  return messagesIn[useLanguage()].kinds;
}
