import { wordsOf } from "../../language/language.js";

/** Texts about pending files. */
export const pendingWords = wordsOf({
  en: {
    dropPagesTitle: "Delete these pages?",
    dropPagesText: "This cannot be undone. Pages that are sent again wait again.",
    pending: "Pending",
    nonePending: "Nothing is pending",
    nonePendingText: "Files that cannot be read or matched wait here. Choose where files come from under Sources.",
    until: "End of keeping",
    untilText:
      "At the end of keeping the server deletes a held file. Incomplete pages become overdue first, and are deleted later.",
    missing: (pages: string | null) =>
      pages === null ? "All pages are here: send it again." : `Missing pages: ${pages}`,
    states: {
      held: "Held",
      incomplete: "Pages missing",
      overdue: "Overdue",
    },
  },
  de: {
    dropPagesTitle: "Diese Seiten löschen?",
    dropPagesText: "Das ist endgültig. Seiten, die wieder kommen, warten wieder.",
    pending: "Offen",
    nonePending: "Nichts ist offen",
    nonePendingText:
      "Hier warten Dateien, die nicht gelesen oder zugeordnet werden können. Woher Dateien kommen, legen Sie unter Quellen fest.",
    until: "Ende der Aufbewahrung",
    untilText:
      "Am Ende der Aufbewahrung löscht der Server eine zurückgehaltene Datei. Unvollständige Seiten werden erst überfällig und später gelöscht.",
    missing: (pages: string | null) =>
      pages === null ? "Alle Seiten sind da: noch einmal senden." : `Fehlende Seiten: ${pages}`,
    states: {
      held: "Zurückgehalten",
      incomplete: "Seiten fehlen",
      overdue: "Überfällig",
    },
  },
  fr: {
    dropPagesTitle: "Supprimer ces pages ?",
    dropPagesText: "C’est définitif. Les pages renvoyées attendront de nouveau.",
    pending: "En attente",
    nonePending: "Rien n’est en attente",
    nonePendingText:
      "Les fichiers illisibles ou sans correspondance attendent ici. Choisissez sous Sources d’où viennent les fichiers.",
    until: "Fin de conservation",
    untilText:
      "À la fin de la conservation, le serveur supprime un fichier retenu. Des pages incomplètes sont d’abord en retard, puis supprimées.",
    missing: (pages: string | null) =>
      pages === null ? "Toutes les pages sont là : renvoyez-le." : `Pages manquantes : ${pages}`,
    states: {
      held: "Retenu",
      incomplete: "Pages manquantes",
      overdue: "En retard",
    },
  },
  es: {
    dropPagesTitle: "¿Borrar estas páginas?",
    dropPagesText: "No se puede deshacer. Las páginas que se envíen de nuevo esperarán otra vez.",
    pending: "Pendientes",
    nonePending: "No hay nada pendiente",
    nonePendingText:
      "Aquí esperan los ficheros que no se pueden leer o asignar. Elija en Fuentes de dónde vienen los ficheros.",
    until: "Fin de conservación",
    untilText:
      "Al final de la conservación el servidor borra un fichero retenido. Las páginas incompletas quedan primero atrasadas y se borran después.",
    missing: (pages: string | null) =>
      pages === null ? "Están todas las páginas: envíelo otra vez." : `Páginas que faltan: ${pages}`,
    states: {
      held: "Retenido",
      incomplete: "Faltan páginas",
      overdue: "Atrasado",
    },
  },
});
