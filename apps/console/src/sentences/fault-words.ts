import { wordsOf } from "../language/language.js";
import { plural } from "../language/plural.js";

/** What the server says of a field, by its own English sentence. `{value}` stands for a bound or for names, which stay as they are. */
interface FaultWords {
  readonly sentences: Readonly<Record<string, string>>;
  /** What something must be, to be put into `mustBe`. */
  readonly things: Readonly<Record<string, string>>;
  /** As `things`, with the value that follows. */
  readonly bounds: Readonly<Record<string, string>>;
  readonly mustBe: string;
  readonly or: string;
  readonly counts: Readonly<Record<string, (count: number) => string>>;
}

export const faultWords = wordsOf<FaultWords | null>({
  en: null,
  de: {
    mustBe: "muss {value} sein",
    or: " oder ",
    sentences: {
      "is required": "fehlt",
      "must not be empty": "darf nicht leer sein",
      "must be left out": "darf hier nicht stehen",
      "is not written as it has to be": "ist nicht so geschrieben, wie es sein muss",
      "has members that do not belong there": "enthält etwas, das nicht hierher gehört",
      "has a name that is not allowed": "enthält einen Namen, der nicht erlaubt ist",
      "has an entry that is not allowed": "enthält einen Eintrag, der nicht erlaubt ist",
      "has none of the forms that are allowed": "hat keine der erlaubten Formen",
      "is not allowed here": "ist hier nicht erlaubt",
      "has the wrong prefix": "beginnt nicht so, wie es sein muss",
      "has the wrong suffix": "endet nicht so, wie es sein muss",
      "lacks something that it has to hold": "enthält nicht alles, was es enthalten muss",
      "is not a field here": "ist hier kein Feld",
      "must not be after end": "darf nicht nach dem Ende liegen",
      "must not begin or end with a space": "darf nicht mit einem Leerzeichen beginnen oder enden",
      "must be text without NUL characters or lone surrogates": "enthält Zeichen, die sich nicht speichern lassen",
      "must not be an encrypted PDF": "darf kein verschlüsseltes PDF sein",
      "must be https unless the host is loopback": "muss mit https:// beginnen",
    },
    things: {
      text: "ein Text",
      "a string": "ein Text",
      "a number": "eine Zahl",
      "a whole number": "eine ganze Zahl",
      "true or false": "wahr oder falsch",
      "a list": "eine Liste",
      "an object": "ein Objekt",
      "a date": "ein Datum",
      null: "leer",
      "a file": "eine Datei",
      "left out": "weggelassen",
      "of another kind": "von anderer Art",
      "an e-mail address": "eine E-Mail-Adresse",
      "a URL": "eine Webadresse",
      "a UUID": "eine UUID",
      "a date and time, as RFC 3339 has it": "Datum und Uhrzeit nach RFC 3339",
      "a date that exists, as YYYY-MM-DD": "ein Datum, das es gibt, als JJJJ-MM-TT",
      "a time, as hh:mm:ss": "eine Uhrzeit als hh:mm:ss",
      "a duration, as ISO 8601 has it": "eine Dauer nach ISO 8601",
      "an IPv4 address": "eine IPv4-Adresse",
      "an IPv6 address": "eine IPv6-Adresse",
      "a range of IPv4 addresses": "ein Bereich von IPv4-Adressen",
      "a range of IPv6 addresses": "ein Bereich von IPv6-Adressen",
      Base64: "in Base64 geschrieben",
      Base64url: "in Base64url geschrieben",
      JSON: "gültiges JSON",
      "a JWT": "ein gültiges JWT",
      "a PDF with at least one page": "ein PDF mit mindestens einer Seite",
      "a PDF that can be read": "ein lesbares PDF",
      "a PDF that can be read in a reasonable amount of memory": "ein weniger aufwendiges PDF",
      "an https URL without fragment, or http on a loopback host": "eine Adresse mit https:// und ohne #",
      "an https URL, or http on a loopback host, without fragment or credentials":
        "eine Adresse mit https://, ohne # und ohne Zugangsdaten",
      "an https address without query, fragment and credentials":
        "eine Adresse mit https://, ohne ?, # und Zugangsdaten",
      "an https address without credentials": "eine Adresse mit https:// und ohne Zugangsdaten",
    },
    bounds: {
      "one of": "eins von {value}",
      "at least": "mindestens {value}",
      "at most": "höchstens {value}",
      "more than": "mehr als {value}",
      "less than": "weniger als {value}",
      exactly: "genau {value}",
      "a multiple of": "ein Vielfaches von {value}",
    },
    counts: {
      "at least character": (n) =>
        plural.de(n, "muss mindestens ein Zeichen haben", "muss mindestens {n} Zeichen haben"),
      "at most character": (n) => plural.de(n, "darf höchstens ein Zeichen haben", "darf höchstens {n} Zeichen haben"),
      "exactly character": (n) => plural.de(n, "muss genau ein Zeichen haben", "muss genau {n} Zeichen haben"),
      "at least entry": (n) =>
        plural.de(n, "muss mindestens einen Eintrag haben", "muss mindestens {n} Einträge haben"),
      "at most entry": (n) => plural.de(n, "darf höchstens einen Eintrag haben", "darf höchstens {n} Einträge haben"),
      "exactly entry": (n) => plural.de(n, "muss genau einen Eintrag haben", "muss genau {n} Einträge haben"),
      "at least byte": (n) => plural.de(n, "muss mindestens ein Byte haben", "muss mindestens {n} Bytes haben"),
      "at most byte": (n) => plural.de(n, "darf höchstens ein Byte haben", "darf höchstens {n} Bytes haben"),
      "exactly byte": (n) => plural.de(n, "muss genau ein Byte haben", "muss genau {n} Bytes haben"),
    },
  },
  fr: {
    mustBe: "doit être {value}",
    or: " ou ",
    sentences: {
      "is required": "est requis",
      "must not be empty": "ne doit pas être vide",
      "must be left out": "ne doit pas figurer ici",
      "is not written as it has to be": "n’est pas écrit comme il le faut",
      "has members that do not belong there": "contient des éléments qui n’ont pas leur place ici",
      "has a name that is not allowed": "contient un nom qui n’est pas autorisé",
      "has an entry that is not allowed": "contient une entrée qui n’est pas autorisée",
      "has none of the forms that are allowed": "n’a aucune des formes autorisées",
      "is not allowed here": "n’est pas autorisé ici",
      "has the wrong prefix": "ne commence pas comme il le faut",
      "has the wrong suffix": "ne se termine pas comme il le faut",
      "lacks something that it has to hold": "ne contient pas tout ce qu’il faut",
      "is not a field here": "n’est pas un champ connu ici",
      "must not be after end": "ne doit pas être postérieur à la fin",
      "must not begin or end with a space": "ne doit ni commencer ni finir par une espace",
      "must be text without NUL characters or lone surrogates":
        "contient des caractères qui ne peuvent pas être enregistrés",
      "must not be an encrypted PDF": "ne doit pas être un PDF chiffré",
      "must be https unless the host is loopback": "doit commencer par https://",
    },
    things: {
      text: "un texte",
      "a string": "un texte",
      "a number": "un nombre",
      "a whole number": "un nombre entier",
      "true or false": "vrai ou faux",
      "a list": "une liste",
      "an object": "un objet",
      "a date": "une date",
      null: "vide",
      "a file": "un fichier",
      "left out": "omis",
      "of another kind": "d’un autre type",
      "an e-mail address": "une adresse e-mail",
      "a URL": "une adresse web",
      "a UUID": "un UUID",
      "a date and time, as RFC 3339 has it": "une date avec l’heure, selon la RFC 3339",
      "a date that exists, as YYYY-MM-DD": "une date qui existe, sous la forme AAAA-MM-JJ",
      "a time, as hh:mm:ss": "une heure, sous la forme hh:mm:ss",
      "a duration, as ISO 8601 has it": "une durée, selon l’ISO 8601",
      "an IPv4 address": "une adresse IPv4",
      "an IPv6 address": "une adresse IPv6",
      "a range of IPv4 addresses": "une plage d’adresses IPv4",
      "a range of IPv6 addresses": "une plage d’adresses IPv6",
      Base64: "écrit en Base64",
      Base64url: "écrit en Base64url",
      JSON: "du JSON valable",
      "a JWT": "un JWT valable",
      "a PDF with at least one page": "un PDF d’au moins une page",
      "a PDF that can be read": "un PDF lisible",
      "a PDF that can be read in a reasonable amount of memory": "un PDF moins complexe",
      "an https URL without fragment, or http on a loopback host": "une adresse en https://, sans #",
      "an https URL, or http on a loopback host, without fragment or credentials":
        "une adresse en https://, sans # ni identifiants",
      "an https address without query, fragment and credentials":
        "une adresse en https://, sans ?, ni #, ni identifiants",
      "an https address without credentials": "une adresse en https://, sans identifiants",
    },
    bounds: {
      "one of": "l’une de ces valeurs : {value}",
      "at least": "au minimum {value}",
      "at most": "au maximum {value}",
      "more than": "supérieur à {value}",
      "less than": "inférieur à {value}",
      exactly: "exactement {value}",
      "a multiple of": "un multiple de {value}",
    },
    counts: {
      "at least character": (n) =>
        plural.fr(n, "doit avoir au moins {n} caractère", "doit avoir au moins {n} caractères"),
      "at most character": (n) => plural.fr(n, "doit avoir au plus {n} caractère", "doit avoir au plus {n} caractères"),
      "exactly character": (n) =>
        plural.fr(n, "doit avoir exactement {n} caractère", "doit avoir exactement {n} caractères"),
      "at least entry": (n) => plural.fr(n, "doit avoir au moins {n} entrée", "doit avoir au moins {n} entrées"),
      "at most entry": (n) => plural.fr(n, "doit avoir au plus {n} entrée", "doit avoir au plus {n} entrées"),
      "exactly entry": (n) => plural.fr(n, "doit avoir exactement {n} entrée", "doit avoir exactement {n} entrées"),
      "at least byte": (n) => plural.fr(n, "doit avoir au moins {n} octet", "doit avoir au moins {n} octets"),
      "at most byte": (n) => plural.fr(n, "doit avoir au plus {n} octet", "doit avoir au plus {n} octets"),
      "exactly byte": (n) => plural.fr(n, "doit avoir exactement {n} octet", "doit avoir exactement {n} octets"),
    },
  },
  es: {
    mustBe: "debe ser {value}",
    or: " o ",
    sentences: {
      "is required": "falta",
      "must not be empty": "no puede estar vacío",
      "must be left out": "no puede figurar aquí",
      "is not written as it has to be": "no está escrito como debe",
      "has members that do not belong there": "contiene elementos que no corresponden aquí",
      "has a name that is not allowed": "contiene un nombre que no está permitido",
      "has an entry that is not allowed": "contiene una entrada que no está permitida",
      "has none of the forms that are allowed": "no tiene ninguna de las formas permitidas",
      "is not allowed here": "no está permitido aquí",
      "has the wrong prefix": "no empieza como debe",
      "has the wrong suffix": "no termina como debe",
      "lacks something that it has to hold": "no contiene todo lo que debe",
      "is not a field here": "no es un campo conocido aquí",
      "must not be after end": "no puede ser posterior al final",
      "must not begin or end with a space": "no puede empezar ni terminar con un espacio",
      "must be text without NUL characters or lone surrogates": "contiene caracteres que no se pueden guardar",
      "must not be an encrypted PDF": "no puede ser un PDF cifrado",
      "must be https unless the host is loopback": "debe empezar por https://",
    },
    things: {
      text: "un texto",
      "a string": "un texto",
      "a number": "un número",
      "a whole number": "un número entero",
      "true or false": "verdadero o falso",
      "a list": "una lista",
      "an object": "un objeto",
      "a date": "una fecha",
      null: "nulo",
      "a file": "un fichero",
      "left out": "omitido",
      "of another kind": "de otro tipo",
      "an e-mail address": "una dirección de correo electrónico",
      "a URL": "una dirección web",
      "a UUID": "un UUID",
      "a date and time, as RFC 3339 has it": "una fecha con hora, según RFC 3339",
      "a date that exists, as YYYY-MM-DD": "una fecha que exista, como AAAA-MM-DD",
      "a time, as hh:mm:ss": "una hora, como hh:mm:ss",
      "a duration, as ISO 8601 has it": "una duración, según ISO 8601",
      "an IPv4 address": "una dirección IPv4",
      "an IPv6 address": "una dirección IPv6",
      "a range of IPv4 addresses": "un rango de direcciones IPv4",
      "a range of IPv6 addresses": "un rango de direcciones IPv6",
      Base64: "texto en Base64",
      Base64url: "texto en Base64url",
      JSON: "JSON válido",
      "a JWT": "un JWT válido",
      "a PDF with at least one page": "un PDF de al menos una página",
      "a PDF that can be read": "un PDF legible",
      "a PDF that can be read in a reasonable amount of memory": "un PDF menos complejo",
      "an https URL without fragment, or http on a loopback host": "una dirección con https:// y sin #",
      "an https URL, or http on a loopback host, without fragment or credentials":
        "una dirección con https://, sin # ni credenciales",
      "an https address without query, fragment and credentials":
        "una dirección con https://, sin ?, # ni credenciales",
      "an https address without credentials": "una dirección con https:// y sin credenciales",
    },
    bounds: {
      "one of": "uno de estos valores: {value}",
      "at least": "como mínimo {value}",
      "at most": "como máximo {value}",
      "more than": "mayor que {value}",
      "less than": "menor que {value}",
      exactly: "exactamente {value}",
      "a multiple of": "un múltiplo de {value}",
    },
    counts: {
      "at least character": (n) =>
        plural.es(n, "debe tener al menos {n} carácter", "debe tener al menos {n} caracteres"),
      "at most character": (n) =>
        plural.es(n, "puede tener como máximo {n} carácter", "puede tener como máximo {n} caracteres"),
      "exactly character": (n) =>
        plural.es(n, "debe tener exactamente {n} carácter", "debe tener exactamente {n} caracteres"),
      "at least entry": (n) => plural.es(n, "debe tener al menos {n} entrada", "debe tener al menos {n} entradas"),
      "at most entry": (n) =>
        plural.es(n, "puede tener como máximo {n} entrada", "puede tener como máximo {n} entradas"),
      "exactly entry": (n) => plural.es(n, "debe tener exactamente {n} entrada", "debe tener exactamente {n} entradas"),
      "at least byte": (n) => plural.es(n, "debe tener al menos {n} byte", "debe tener al menos {n} bytes"),
      "at most byte": (n) => plural.es(n, "puede tener como máximo {n} byte", "puede tener como máximo {n} bytes"),
      "exactly byte": (n) => plural.es(n, "debe tener exactamente {n} byte", "debe tener exactamente {n} bytes"),
    },
  },
});

/** A sentence of the server about a field in these words; undefined if they do not have it. */
export function faultIn(words: FaultWords, sentence: string): string | undefined {
  const counted = /^must have (at least|at most|exactly) (\d+) (character|entry|entries|byte)s?$/.exec(sentence);
  if (counted) {
    const [, bound, count, unit = ""] = counted;
    return words.counts[`${bound} ${unit.replace("entries", "entry")}`]?.(Number(count));
  }
  if (Object.hasOwn(words.sentences, sentence)) return words.sentences[sentence];
  const [, wanted] = /^must be (.+)$/.exec(sentence) ?? [];
  const said = wanted === undefined ? undefined : (thingIn(words, wanted) ?? literalIn(wanted));
  return said === undefined ? undefined : words.mustBe.replace("{value}", () => said);
}

/** What something must be; several kinds are joined with "or". */
function thingIn(words: FaultWords, wanted: string): string | undefined {
  if (Object.hasOwn(words.things, wanted)) return words.things[wanted];
  for (const { index } of wanted.matchAll(/ or /g)) {
    const [first, others] = [
      thingIn(words, wanted.slice(0, index)),
      thingIn(words, wanted.slice(index + " or ".length)),
    ];
    if (first !== undefined && others !== undefined) return `${first}${words.or}${others}`;
  }
  const bound = Object.keys(words.bounds).find((begin) => wanted.startsWith(`${begin} `));
  return bound && words.bounds[bound]?.replace("{value}", () => wanted.slice(bound.length + 1));
}

/** The one value that is allowed, such as `*` or `archive`: no sentence. */
function literalIn(wanted: string): string | undefined {
  return /\s/.test(wanted) ? undefined : wanted;
}
