import { wordsOf } from "../../language/language.js";
import { de } from "./words-de.js";
import { en } from "./words-en.js";
import { es } from "./words-es.js";
import { fr } from "./words-fr.js";

/** The texts of the work queue. */
export const workWords = wordsOf({ en, de, fr, es });
