import { wordsOf } from "../../language/language.js";

/** Texts about pending files. */
export const pendingWords = wordsOf({
  en: {
    dropPagesTitle: "Delete these pages?",
    dropPagesText: "This cannot be undone. Pages that are sent again wait again.",
    pending: "Pending",
    nonePending: "Nothing is pending",
    nonePendingText: "Files that cannot be read or matched wait here. Choose where files come from under Sources.",
    until: "Kept until",
    missing: (pages: string | null) =>
      pages === null ? "all pages are here: send it again" : `missing pages: ${pages}`,
    states: {
      held: "held",
      incomplete: "pages missing",
      overdue: "overdue",
    },
  },
  de: {
    dropPagesTitle: "Diese Seiten löschen?",
    dropPagesText: "Das ist endgültig. Seiten, die wieder kommen, warten wieder.",
    pending: "Offen",
    nonePending: "Nichts ist offen",
    nonePendingText:
      "Hier warten Dateien, die nicht gelesen oder zugeordnet werden können. Woher Dateien kommen, legen Sie unter Quellen fest.",
    until: "Aufbewahrt bis",
    missing: (pages: string | null) =>
      pages === null ? "alle Seiten sind da: noch einmal senden" : `fehlende Seiten: ${pages}`,
    states: {
      held: "zurückgehalten",
      incomplete: "Seiten fehlen",
      overdue: "überfällig",
    },
  },
  fr: {
    dropPagesTitle: "Supprimer ces pages ?",
    dropPagesText: "C’est définitif. Les pages renvoyées attendront de nouveau.",
    pending: "En attente",
    nonePending: "Rien n’est en attente",
    nonePendingText:
      "Les fichiers illisibles ou sans correspondance attendent ici. Choisissez sous Sources d’où viennent les fichiers.",
    until: "Gardé jusqu’au",
    missing: (pages: string | null) =>
      pages === null ? "toutes les pages sont là : renvoyez-le" : `pages manquantes : ${pages}`,
    states: {
      held: "retenu",
      incomplete: "pages manquantes",
      overdue: "en retard",
    },
  },
  es: {
    dropPagesTitle: "¿Borrar estas páginas?",
    dropPagesText: "No se puede deshacer. Las páginas que se envíen de nuevo esperarán otra vez.",
    pending: "Pendientes",
    nonePending: "No hay nada pendiente",
    nonePendingText:
      "Aquí esperan los ficheros que no se pueden leer o asignar. Elija en Fuentes de dónde vienen los ficheros.",
    until: "Guardado hasta",
    missing: (pages: string | null) =>
      pages === null ? "están todas las páginas: envíelo otra vez" : `páginas que faltan: ${pages}`,
    states: {
      held: "retenido",
      incomplete: "faltan páginas",
      overdue: "atrasado",
    },
  },
});
