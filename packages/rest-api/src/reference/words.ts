import type { SessionLanguage } from "@org/core";

/** Every sentence of the reference, in one language. A table with a missing key does not compile. */
export interface Words {
  readonly title: string;
  readonly lead: string;
  readonly families: string;
  readonly back: string;
  readonly scopes: string;
  readonly noScope: string;
  readonly body: string;
  readonly query: string;
  readonly headers: string;
  readonly answer: string;
  readonly errors: string;
  readonly example: string;
  readonly required: string;
  readonly orNull: string;
  /** Before the default of a field. */
  readonly otherwise: string;
  readonly shapes: string;
}

const english: Words = {
  title: "REST API reference",
  lead: "All endpoints take POST with a JSON body and a bearer token, unless they say otherwise. Every answer has its trace id in X-Trace-Id.",
  families: "Parts of the API",
  back: "What runs here",
  scopes: "Scopes, any one of them",
  noScope: "none",
  body: "Body",
  query: "Query",
  headers: "Headers",
  answer: "Answer",
  errors: "Refusals",
  example: "Example",
  required: "required",
  orNull: "or null",
  otherwise: "default",
  shapes: "Shapes",
};

const german: Words = {
  title: "Referenz der REST-API",
  lead: "Alle Endpunkte nehmen POST mit JSON und einem Bearer-Token, wo nichts anderes steht. Jede Antwort hat ihre Trace-ID in X-Trace-Id. Die Beschreibungen sind auf Englisch.",
  families: "Teile der API",
  back: "Was hier läuft",
  scopes: "Scopes, einer davon",
  noScope: "keiner",
  body: "Anfrage",
  query: "Query",
  headers: "Header",
  answer: "Antwort",
  errors: "Ablehnungen",
  example: "Beispiel",
  required: "erforderlich",
  orNull: "oder null",
  otherwise: "Standard",
  shapes: "Formen",
};

const spanish: Words = {
  title: "Referencia de la API REST",
  lead: "Todas las operaciones reciben POST con JSON y un token bearer, salvo que digan otra cosa. Cada respuesta lleva su identificador de traza en X-Trace-Id. Las descripciones están en inglés.",
  families: "Partes de la API",
  back: "Qué hay aquí",
  scopes: "Scopes, uno de ellos",
  noScope: "ninguno",
  body: "Cuerpo",
  query: "Query",
  headers: "Cabeceras",
  answer: "Respuesta",
  errors: "Rechazos",
  example: "Ejemplo",
  required: "obligatorio",
  orNull: "o null",
  otherwise: "por defecto",
  shapes: "Formas",
};

const french: Words = {
  title: "Référence de l’API REST",
  lead: "Toutes les opérations prennent POST avec du JSON et un jeton bearer, sauf mention contraire. Chaque réponse porte son identifiant de trace dans X-Trace-Id. Les descriptions sont en anglais.",
  families: "Parties de l’API",
  back: "Ce qui tourne ici",
  scopes: "Scopes, l’un d’eux",
  noScope: "aucun",
  body: "Corps",
  query: "Query",
  headers: "En-têtes",
  answer: "Réponse",
  errors: "Refus",
  example: "Exemple",
  required: "obligatoire",
  orNull: "ou null",
  otherwise: "par défaut",
  shapes: "Formes",
};

/** Sentences by language. A widget language without a table does not compile. */
export const referenceWords: Readonly<Record<SessionLanguage, Words>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
};
