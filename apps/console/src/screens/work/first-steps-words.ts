import { wordsOf } from "../../language/language.js";

/** Texts of the first steps. */
export const firstStepsWords = wordsOf({
  en: {
    title: "First steps",
    lead: "Nothing waits for anybody yet. These steps get you started.",
    leadTenant: "Nothing waits for you yet. These steps lead to the first data.",
    done: "Done",
    tenant: "Make a tenant",
    tenantText:
      "The house whose clients’ banks are connected. To try things out, take the tenant Demo in the next steps.",
    application: "Make an application",
    applicationText: "The program or assistant that reads a tenant’s data. Its secret is shown once: copy it then.",
    connection: "Connect a bank",
    connectionText:
      "Make a link for a client and open it yourself: the sandbox’s banks take any user name and password.",
    connectionTextTenant: "Make a link and send it to your client, who logs in to the bank there.",
    letter: "Begin a letter",
    letterText: "For banks that send files: the letter in which a client allows it, until the first file is here.",
    people: "Invite a colleague",
    peopleText: "Whoever works here gets a link and signs in with a passkey of their own.",
  },
  de: {
    title: "Erste Schritte",
    lead: "Noch gibt es nichts zu tun. Mit diesen Schritten geht es los.",
    leadTenant: "Noch gibt es für Sie nichts zu tun. Diese Schritte führen zu den ersten Daten.",
    done: "Erledigt",
    tenant: "Einen Mandanten anlegen",
    tenantText:
      "Das Unternehmen, dessen Kunden ihre Banken verbinden. Zum Ausprobieren wählen Sie in den nächsten Schritten den Mandanten Demo.",
    application: "Eine Anwendung anlegen",
    applicationText:
      "Das Programm oder der Assistent, der die Daten eines Mandanten liest. Das Geheimnis wird nur einmal angezeigt: Kopieren Sie es gleich.",
    connection: "Eine Bank verbinden",
    connectionText:
      "Erstellen Sie einen Link für einen Kunden und öffnen Sie ihn selbst: Die Banken der Sandbox akzeptieren jeden Benutzernamen und jedes Passwort.",
    connectionTextTenant:
      "Erstellen Sie einen Link und senden Sie ihn Ihrem Kunden, der sich dort bei der Bank anmeldet.",
    letter: "Eine Vollmacht anlegen",
    letterText:
      "Für Banken, die Dateien senden: die Vollmacht, mit der ein Kunde das erlaubt, verfolgt bis zur ersten Datei.",
    people: "Jemanden einladen",
    peopleText: "Wer hier arbeitet, bekommt einen Link und meldet sich mit einem eigenen Passkey an.",
  },
  fr: {
    title: "Premiers pas",
    lead: "Il n’y a encore rien à faire. Ces étapes permettent de commencer.",
    leadTenant: "Vous n’avez encore rien à faire. Ces étapes mènent aux premières données.",
    done: "Fait",
    tenant: "Créer un mandant",
    tenantText:
      "La société dont les clients connectent leurs banques. Pour essayer, prenez le mandant Demo dans les étapes suivantes.",
    application: "Créer une application",
    applicationText:
      "Le programme ou l’assistant qui lit les données d’un mandant. Son secret n’est montré qu’une fois : copiez-le à ce moment.",
    connection: "Connecter une banque",
    connectionText:
      "Créez un lien pour un client et ouvrez-le vous-même : les banques du bac à sable acceptent tout identifiant et tout mot de passe.",
    connectionTextTenant: "Créez un lien et envoyez-le à votre client, qui s’y identifie auprès de sa banque.",
    letter: "Commencer une lettre",
    letterText:
      "Pour les banques qui envoient des fichiers : la lettre par laquelle un client les y autorise, suivie jusqu’au premier fichier.",
    people: "Inviter quelqu’un",
    peopleText: "Toute personne qui travaille ici reçoit un lien et se connecte avec sa propre clé d’accès.",
  },
  es: {
    title: "Primeros pasos",
    lead: "Todavía no hay nada pendiente. Empiece con estos pasos.",
    leadTenant: "Todavía no tiene nada pendiente. Estos pasos llevan a los primeros datos.",
    done: "Hecho",
    tenant: "Crear un mandante",
    tenantText:
      "La entidad cuyos clientes conectan sus bancos. Para probar, elija el mandante Demo en los pasos siguientes.",
    application: "Crear una aplicación",
    applicationText:
      "El programa o asistente que lee los datos de un mandante. Su secreto se muestra una sola vez: cópielo entonces.",
    connection: "Conectar un banco",
    connectionText:
      "Cree un enlace para un cliente y ábralo usted: los bancos del entorno de pruebas aceptan cualquier usuario y contraseña.",
    connectionTextTenant: "Cree un enlace y envíelo a su cliente, que entra en su banco desde ahí.",
    letter: "Empezar una carta",
    letterText:
      "Para los bancos que envían ficheros: la carta con la que un cliente lo autoriza, con su seguimiento hasta el primer fichero.",
    people: "Invitar a alguien",
    peopleText: "Quien trabaja aquí recibe un enlace y entra con su propia clave de acceso.",
  },
});
