import { wordsOf } from "../language/language.js";
import { plural } from "../language/plural.js";

/** Texts about mails that wait, and about taking them back with their moves. `time` is such as "27 seconds". */
export const undoWords = wordsOf({
  en: {
    region: "Mails that wait",
    goesOutTo: (to: string, time: string) => `1 mail to ${to} goes out in ${time}`,
    goOut: (mails: number, time: string) =>
      plural.en(mails, `1 mail goes out in ${time}`, `{n} mails go out in ${time}`),
    leaves: (time: string) => `goes out in ${time}`,
    undo: "Undo",
    keyUndo: "Undo the last move while its mail waits",
    undone: "Undone: nothing was mailed",
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
  },
  de: {
    region: "Wartende E-Mails",
    goesOutTo: (to: string, time: string) => `1 E-Mail an ${to} wird in ${time} gesendet`,
    goOut: (mails: number, time: string) =>
      plural.de(mails, `1 E-Mail wird in ${time} gesendet`, `{n} E-Mails werden in ${time} gesendet`),
    leaves: (time: string) => `wird in ${time} gesendet`,
    undo: "Rückgängig machen",
    keyUndo: "Letzten Schritt rückgängig machen, solange die E-Mail wartet",
    undone: "Rückgängig gemacht: Es wurde nichts gesendet",
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
  },
  fr: {
    region: "E-mails en attente",
    goesOutTo: (to: string, time: string) => `1 e-mail à ${to} part dans ${time}`,
    goOut: (mails: number, time: string) =>
      plural.fr(mails, `{n} e-mail part dans ${time}`, `{n} e-mails partent dans ${time}`),
    leaves: (time: string) => `part dans ${time}`,
    undo: "Annuler l’envoi",
    keyUndo: "Annuler la dernière étape tant que son e-mail attend",
    undone: "Étape annulée : rien n’a été envoyé",
    results: "Ce qui a été annulé",
    summary: (undone: number, refused: number) => `Annulées : ${undone}. Non annulées : ${refused}.`,
    outcomes: { moved: "annulée", refused: "non annulée" },
    letter: "Lettre",
    outcome: "Résultat",
    done: "Terminé",
    isInDoubt:
      "Personne ne sait si cet e-mail est arrivé. Demandez au destinataire et décidez avant que la lettre n’avance :",
    arrived: "Il est arrivé",
    sendAgain: "L’envoyer de nouveau",
    doNotSend: "Ne pas l’envoyer",
    decided: "C’est décidé",
  },
  es: {
    region: "Correos en espera",
    goesOutTo: (to: string, time: string) => `1 correo a ${to} sale en ${time}`,
    goOut: (mails: number, time: string) =>
      plural.es(mails, `1 correo sale en ${time}`, `{n} correos salen en ${time}`),
    leaves: (time: string) => `sale en ${time}`,
    undo: "Deshacer",
    keyUndo: "Deshacer el último paso mientras su correo espera",
    undone: "Deshecho: no se ha enviado nada",
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
  },
});
