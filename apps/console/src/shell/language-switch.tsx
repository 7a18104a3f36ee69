import {
  type Language,
  languageNames,
  languages,
  switchLanguage,
  useLanguage,
  useWords,
} from "../language/language.js";
import { shellWords } from "./shell-words.js";

/** Switches the language of the page. */
export function LanguageSwitch() {
  const words = useWords(shellWords);
  const language = useLanguage();
  return (
    <label className="language-switch">
      <span className="spoken">{words.language}</span>
      <select value={language} onChange={({ target }) => switchLanguage(target.value as Language)}>
        {languages.map((each) => (
          <option key={each} value={each} lang={each}>
            {languageNames[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
