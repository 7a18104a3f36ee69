import { wordsOf } from "../language/language.js";

/** Texts about what became of moves and mails: taken back, or in doubt. */
export const outcomeWords = wordsOf({
  en: {
    results: "What was undone",
    summary: (undone: number, refused: number) => `Undone: ${undone}. Not undone: ${refused}.`,
    outcomes: { moved: "undone", refused: "not undone" },
    letter: "Letter",
    outcome: "Outcome",
    done: "Done",
    isInDoubt: "Nobody knows whether this mail arrived. Ask the recipient, and decide before the letter moves on:",
    arrived: "It arrived",
    sendAgain: "Send it again",
    doNotSend: "Do not send it",
    decided: "Decided",
    ofMails: {
      results: "What is not sent",
      summary: (kept: number, left: number) => `Not sent: ${kept}. Could not be held back: ${left}.`,
      outcomes: { moved: "not sent", refused: "could not be held back" },
    },
  },
  de: {
    results: "Was rückgängig gemacht wurde",
    summary: (undone: number, refused: number) =>
      `Rückgängig gemacht: ${undone}. Nicht rückgängig gemacht: ${refused}.`,
    outcomes: { moved: "rückgängig gemacht", refused: "nicht rückgängig gemacht" },
    letter: "Vollmacht",
    outcome: "Ergebnis",
    done: "Fertig",
    isInDoubt:
      "Niemand weiß, ob diese E-Mail ankam. Fragen Sie beim Empfänger nach und entscheiden Sie, bevor die Vollmacht weitergeht:",
    arrived: "Sie ist angekommen",
    sendAgain: "Noch einmal senden",
    doNotSend: "Nicht senden",
    decided: "Entschieden",
    ofMails: {
      results: "Was nicht gesendet wird",
      summary: (kept: number, left: number) => `Nicht gesendet: ${kept}. Nicht mehr aufzuhalten: ${left}.`,
      outcomes: { moved: "nicht gesendet", refused: "nicht mehr aufzuhalten" },
    },
  },
  fr: {
    results: "Ce qui a été annulé",
    summary: (undone: number, refused: number) => `Annulées : ${undone}. Non annulées : ${refused}.`,
    outcomes: { moved: "annulée", refused: "non annulée" },
    letter: "Lettre",
    outcome: "Résultat",
    done: "Terminé",
    isInDoubt:
      "Personne ne sait si cet e-mail est arrivé. Demandez au destinataire et décidez avant que la lettre n’avance :",
    arrived: "Il est arrivé",
    sendAgain: "L’envoyer de nouveau",
    doNotSend: "Ne pas l’envoyer",
    decided: "C’est décidé",
    ofMails: {
      results: "Ce qui n’est pas envoyé",
      summary: (kept: number, left: number) => `Non envoyés : ${kept}. Trop tard pour les retenir : ${left}.`,
      outcomes: { moved: "non envoyé", refused: "trop tard pour le retenir" },
    },
  },
  es: {
    results: "Lo que se ha deshecho",
    summary: (undone: number, refused: number) => `Deshechas: ${undone}. No deshechas: ${refused}.`,
    outcomes: { moved: "deshecha", refused: "no deshecha" },
    letter: "Carta",
    outcome: "Resultado",
    done: "Listo",
    isInDoubt:
      "Nadie sabe si este correo llegó. Pregunte al destinatario y decida antes de que la carta siga adelante:",
    arrived: "Ha llegado",
    sendAgain: "Enviarlo de nuevo",
    doNotSend: "No enviarlo",
    decided: "Decidido",
    ofMails: {
      results: "Lo que no se envía",
      summary: (kept: number, left: number) => `No enviados: ${kept}. Ya no se pudieron retener: ${left}.`,
      outcomes: { moved: "no enviado", refused: "ya no se pudo retener" },
    },
  },
});
