import { wordsOf } from "../language/language.js";
import { plural } from "../language/plural.js";

/** Texts about the client whose a connection, letter or session is. */
export const clientWords = wordsOf({
  en: {
    client: "Client",
    hint: "Your own reference, such as a client number. One that is new makes a new client.",
    operatorHint: "The tenant's own reference of the client. Left empty, it is nobody's.",
    isNew: "New: no client has this reference yet. A client is made with it.",
    isKnown: "There already, without a name",
    add: "Add",
    typeFirst: "type a name or reference first",
    assign: "Assign to a client",
    assignMany: (count: number) => `Assign ${count} to a client`,
    chooseFirst: "choose connections in the table first",
    assignLead: (count: number) =>
      plural.en(
        count,
        "Says whose this connection is. Left empty, it belongs to no client.",
        "Says whose these {n} connections are. Left empty, they belong to no client.",
      ),
    assignLetterLead: "Says whose this letter is. Left empty, it belongs to no client.",
    assignAction: "Assign",
    assigned: (count: number) => plural.en(count, "Assigned", "{n} assigned"),
  },
  de: {
    client: "Kunde",
    hint: "Ihr eigenes Zeichen, etwa eine Kundennummer. Ein neues legt einen neuen Kunden an.",
    operatorHint: "Das Zeichen, das der Mandant für den Kunden hat. Leer: gehört keinem Kunden.",
    isNew: "Neu: Dieses Zeichen hat noch kein Kunde. Mit ihm wird ein Kunde angelegt.",
    isKnown: "Schon vorhanden, ohne Namen",
    add: "Hinzufügen",
    typeFirst: "zuerst einen Namen oder ein Zeichen eingeben",
    assign: "Einem Kunden zuordnen",
    assignMany: (count: number) => `${count} einem Kunden zuordnen`,
    chooseFirst: "wählen Sie zuerst Verbindungen in der Tabelle",
    assignLead: (count: number) =>
      plural.de(
        count,
        "Legt fest, wem diese Verbindung gehört. Leer: keinem Kunden.",
        "Legt fest, wem diese {n} Verbindungen gehören. Leer: keinem Kunden.",
      ),
    assignLetterLead: "Legt fest, wem diese Vollmacht gehört. Leer: keinem Kunden.",
    assignAction: "Zuordnen",
    assigned: (count: number) => plural.de(count, "Zugeordnet", "{n} zugeordnet"),
  },
  fr: {
    client: "Client",
    hint: "Votre propre référence, par exemple un numéro de client. Une nouvelle référence crée un client.",
    operatorHint: "La référence du client chez le mandant. Vide : aucun client.",
    isNew: "Nouveau : aucun client n’a encore cette référence. Un client est créé avec elle.",
    isKnown: "Existe déjà, sans nom",
    add: "Ajouter",
    typeFirst: "saisissez d’abord un nom ou une référence",
    assign: "Attribuer à un client",
    assignMany: (count: number) => `En attribuer ${count} à un client`,
    chooseFirst: "choisissez d’abord des connexions dans le tableau",
    assignLead: (count: number) =>
      plural.fr(
        count,
        "Indique à quel client appartient cette connexion. Vide : à aucun.",
        "Indique à quel client appartiennent ces {n} connexions. Vide : à aucun.",
      ),
    assignLetterLead: "Indique à quel client appartient cette lettre. Vide : à aucun.",
    assignAction: "Attribuer",
    assigned: (count: number) => plural.fr(count, "Attribué", "{n} attribués", "{n} attribués"),
  },
  es: {
    client: "Cliente",
    hint: "Su propia referencia, por ejemplo un número de cliente. Una nueva crea un cliente.",
    operatorHint: "La referencia que el mandante tiene del cliente. Vacía: de ningún cliente.",
    isNew: "Nueva: ningún cliente tiene todavía esta referencia. Se crea un cliente con ella.",
    isKnown: "Ya existe, sin nombre",
    add: "Añadir",
    typeFirst: "escriba antes un nombre o una referencia",
    assign: "Asignar a un cliente",
    assignMany: (count: number) => `Asignar ${count} a un cliente`,
    chooseFirst: "elija primero conexiones en la tabla",
    assignLead: (count: number) =>
      plural.es(
        count,
        "Indica de qué cliente es esta conexión. Vacío: de ninguno.",
        "Indica de qué cliente son estas {n} conexiones. Vacío: de ninguno.",
      ),
    assignLetterLead: "Indica de qué cliente es esta carta. Vacío: de ninguno.",
    assignAction: "Asignar",
    assigned: (count: number) => plural.es(count, "Asignado", "{n} asignados", "{n} asignados"),
  },
});
