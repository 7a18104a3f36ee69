import { wordsOf } from "../../language/language.js";

/** Texts of the screens about clients. */
export const clientsWords = wordsOf({
  en: {
    title: "Clients",
    lead: "Whose your connections and letters are, by your own references.",
    caption: "Clients, by reference",
    search: "Name or reference",
    emptyTitle: "No clients yet",
    emptyText: "Name a client when you open a session or begin a letter, or assign connections to one.",
    reference: "Reference",
    connections: "Connections",
    letters: "Letters",
    back: "All clients",
    gone: "There is no such client, or not any more",
    newSession: "New session",
    noConnections: "No connections",
    noConnectionsText: "Open a session for this client, or assign a connection to it.",
    noLetters: "No letters",
    noLettersText: "Submit a letter under Letters and name this client.",
    rename: "Rename",
    renameLead: "A new reference replaces the old one on all connections, letters and sessions.",
    renamed: "Saved",
    delete: "Delete",
    deleteTitle: "Delete this client?",
    deleteAction: "Delete the client",
    deleteText: "This cannot be undone:",
    deleteConnections: (count: number) =>
      count === 1
        ? "1 connection is deleted with everything stored for it"
        : `${count} connections are deleted with everything stored for them`,
    deleteLetters: (count: number) =>
      count === 1
        ? "1 letter ends, unless it has ended already"
        : `${count} letters end, unless they have ended already`,
    deleteNothing: "No connections or letters belong to this client: the name and the reference are deleted.",
    deleteSessions: "Sessions that are still open end, and their links stop working.",
    deleted: "The client is deleted",
  },
  de: {
    title: "Kunden",
    lead: "Wem Ihre Verbindungen und Vollmachten gehören, nach Ihren eigenen Zeichen.",
    caption: "Kunden, nach Zeichen",
    search: "Name oder Zeichen",
    emptyTitle: "Noch keine Kunden",
    emptyText:
      "Nennen Sie einen Kunden, wenn Sie eine Sitzung eröffnen oder eine Vollmacht beginnen, oder ordnen Sie ihm Verbindungen zu.",
    reference: "Zeichen",
    connections: "Verbindungen",
    letters: "Vollmachten",
    back: "Alle Kunden",
    gone: "Diesen Kunden gibt es nicht oder nicht mehr",
    newSession: "Neue Sitzung",
    noConnections: "Keine Verbindungen",
    noConnectionsText: "Eröffnen Sie für diesen Kunden eine Sitzung, oder ordnen Sie ihm eine Verbindung zu.",
    noLetters: "Keine Vollmachten",
    noLettersText: "Reichen Sie unter Vollmachten eine ein und nennen Sie diesen Kunden.",
    rename: "Umbenennen",
    renameLead: "Ein neues Zeichen ersetzt das alte an allen Verbindungen, Vollmachten und Sitzungen.",
    renamed: "Gespeichert",
    delete: "Löschen",
    deleteTitle: "Diesen Kunden löschen?",
    deleteAction: "Den Kunden löschen",
    deleteText: "Das lässt sich nicht rückgängig machen:",
    deleteConnections: (count: number) =>
      count === 1
        ? "1 Verbindung wird mit allem gelöscht, was für sie gespeichert ist"
        : `${count} Verbindungen werden mit allem gelöscht, was für sie gespeichert ist`,
    deleteLetters: (count: number) =>
      count === 1
        ? "1 Vollmacht endet, falls sie nicht schon beendet ist"
        : `${count} Vollmachten enden, soweit sie nicht schon beendet sind`,
    deleteNothing: "Diesem Kunden gehören weder Verbindungen noch Vollmachten: Name und Zeichen werden gelöscht.",
    deleteSessions: "Sitzungen, die noch offen sind, enden, und ihre Links führen nirgends mehr hin.",
    deleted: "Der Kunde ist gelöscht",
  },
  fr: {
    title: "Clients",
    lead: "À qui appartiennent vos connexions et vos lettres, selon vos propres références.",
    caption: "Clients, par référence",
    search: "Nom ou référence",
    emptyTitle: "Pas encore de clients",
    emptyText:
      "Indiquez un client en ouvrant une session ou en commençant une lettre, ou attribuez-lui des connexions.",
    reference: "Référence",
    connections: "Connexions",
    letters: "Lettres",
    back: "Tous les clients",
    gone: "Ce client n’existe pas, ou n’existe plus",
    newSession: "Nouvelle session",
    noConnections: "Aucune connexion",
    noConnectionsText: "Ouvrez une session pour ce client, ou attribuez-lui une connexion.",
    noLetters: "Aucune lettre",
    noLettersText: "Déposez une lettre sous Lettres en indiquant ce client.",
    rename: "Renommer",
    renameLead:
      "Une nouvelle référence remplace l’ancienne sur toutes les connexions, toutes les lettres et toutes les sessions.",
    renamed: "Enregistré",
    delete: "Supprimer",
    deleteTitle: "Supprimer ce client ?",
    deleteAction: "Supprimer le client",
    deleteText: "C’est irréversible :",
    deleteConnections: (count: number) =>
      count === 1
        ? "1 connexion est supprimée avec tout ce qui est enregistré pour elle"
        : `${count} connexions sont supprimées avec tout ce qui est enregistré pour elles`,
    deleteLetters: (count: number) =>
      count === 1
        ? "1 lettre prend fin, si ce n’est déjà fait"
        : `${count} lettres prennent fin, si ce n’est déjà fait`,
    deleteNothing: "Aucune connexion ni lettre n’appartient à ce client : le nom et la référence sont supprimés.",
    deleteSessions: "Les sessions encore ouvertes prennent fin, et leurs liens ne fonctionnent plus.",
    deleted: "Le client est supprimé",
  },
  es: {
    title: "Clientes",
    lead: "De quién son sus conexiones y sus cartas, según sus propias referencias.",
    caption: "Clientes, por referencia",
    search: "Nombre o referencia",
    emptyTitle: "Todavía no hay clientes",
    emptyText: "Indique un cliente al abrir una sesión o al empezar una carta, o asígnele conexiones.",
    reference: "Referencia",
    connections: "Conexiones",
    letters: "Cartas",
    back: "Todos los clientes",
    gone: "Este cliente no existe, o ya no",
    newSession: "Nueva sesión",
    noConnections: "Ninguna conexión",
    noConnectionsText: "Abra una sesión para este cliente, o asígnele una conexión.",
    noLetters: "Ninguna carta",
    noLettersText: "Presente una carta en Cartas e indique este cliente.",
    rename: "Cambiar el nombre",
    renameLead: "Una referencia nueva sustituye a la anterior en todas las conexiones, cartas y sesiones.",
    renamed: "Guardado",
    delete: "Eliminar",
    deleteTitle: "¿Eliminar este cliente?",
    deleteAction: "Eliminar el cliente",
    deleteText: "No se puede deshacer:",
    deleteConnections: (count: number) =>
      count === 1
        ? "1 conexión se elimina con todo lo que está guardado de ella"
        : `${count} conexiones se eliminan con todo lo que está guardado de ellas`,
    deleteLetters: (count: number) =>
      count === 1 ? "1 carta termina, si no ha terminado ya" : `${count} cartas terminan, si no han terminado ya`,
    deleteNothing: "No hay conexiones ni cartas de este cliente: se eliminan el nombre y la referencia.",
    deleteSessions: "Las sesiones que siguen abiertas terminan y sus enlaces dejan de funcionar.",
    deleted: "El cliente se ha eliminado",
  },
});
