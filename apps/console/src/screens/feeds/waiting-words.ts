import { wordsOf } from "../../language/language.js";

/** What is said of statements of which pages are missing. */
export const waitingWords = wordsOf({
  en: {
    dropPagesTitle: "Delete these pages?",
    dropPagesText: "This cannot be undone. Pages that are sent again wait again.",
    noneWaiting: "No statement waits for pages",
    statement: "Statement",
    missing: "Missing pages",
    sendAgain: "send it again",
    latest: "Latest page",
    waitingStates: {
      waiting: "waits",
      overdue: "overdue",
    },
  },
  de: {
    dropPagesTitle: "Diese Seiten löschen?",
    dropPagesText: "Das ist endgültig. Seiten, die wieder kommen, warten wieder.",
    noneWaiting: "Kein Auszug wartet auf Seiten",
    statement: "Auszug",
    missing: "Fehlende Seiten",
    sendAgain: "noch einmal senden",
    latest: "Letzte Seite",
    waitingStates: {
      waiting: "wartet",
      overdue: "überfällig",
    },
  },
  fr: {
    dropPagesTitle: "Supprimer ces pages ?",
    dropPagesText: "C’est définitif. Les pages renvoyées attendront de nouveau.",
    noneWaiting: "Aucun relevé n’attend de pages",
    statement: "Relevé",
    missing: "Pages manquantes",
    sendAgain: "à renvoyer",
    latest: "Dernière page",
    waitingStates: {
      waiting: "en attente",
      overdue: "en retard",
    },
  },
  es: {
    dropPagesTitle: "¿Borrar estas páginas?",
    dropPagesText: "No se puede deshacer. Las páginas que se envíen de nuevo esperarán otra vez.",
    noneWaiting: "Ningún extracto espera páginas",
    statement: "Extracto",
    missing: "Páginas que faltan",
    sendAgain: "enviar otra vez",
    latest: "Última página",
    waitingStates: {
      waiting: "espera",
      overdue: "atrasado",
    },
  },
});
