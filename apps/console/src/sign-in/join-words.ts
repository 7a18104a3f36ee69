import { wordsOf } from "../language/language.js";
import { plural } from "../language/plural.js";

/** Texts for joining (a first passkey, recovery codes to keep, a second passkey), and around signing in. */
export const joinWords = wordsOf({
  en: {
    backToRequest: "Back to the app’s request without signing in here",
    signedOutTitle: "You are signed out",
    signedOutText: "Nothing of your session is left in this tab.",
    afterRecoveryTitle: "You came in by a recovery code",
    afterRecoveryText: "It is used up now. Create a passkey on this device, so that you need no code the next time.",
    codesLeft: (count: number) =>
      count === 0
        ? "No recovery codes are left."
        : plural.en(count, "1 recovery code is left.", "{n} recovery codes are left."),
    joinTitle: "Welcome",
    joinFor: (email: string) => `This invitation is for ${email}.`,
    joinLead:
      "You need no password: a passkey stays on your device or in your password manager, and cannot be guessed or given away by mistake.",
    name: "Your name",
    nameHint: "As others here will see it.",
    ownEmailHint: "Yours. With a recovery code it signs you in where your passkey is lost.",
    makePasskey: "Create your passkey",
    noInvitation: "This address has no invitation in it. Open the link exactly as you got it.",
    notMade: "No passkey was created. Try again.",
    invitationEnded: "This invitation was used, replaced or is too old. Ask whoever invited you for another one.",
    codesTitle: "Keep your recovery codes",
    codesText: "If you lose your passkey, each of these codes lets you in once. They are shown only now.",
    copyAll: "Copy all",
    copied: "Recovery codes copied",
    download: "Download as a file",
    kept: "I have kept these codes in a safe place",
    goOn: "Continue",
    firstKeep: "keep the codes first",
    secondTitle: "Add a second passkey",
    secondText: "With a passkey on another device or a security key you are not locked out when one is lost.",
    addSecond: "Add a second passkey",
    later: "Later",
    added: "Passkey added",
  },
  de: {
    backToRequest: "Ohne Anmeldung zurück zur Anfrage der App",
    signedOutTitle: "Sie sind abgemeldet",
    signedOutText: "In diesem Tab ist nichts von Ihrer Sitzung geblieben.",
    afterRecoveryTitle: "Sie haben sich mit einem Wiederherstellungscode angemeldet",
    afterRecoveryText:
      "Er ist jetzt verbraucht. Erstellen Sie auf diesem Gerät einen Passkey, damit Sie beim nächsten Mal keinen Code brauchen.",
    codesLeft: (count: number) =>
      count === 0
        ? "Es ist kein Wiederherstellungscode mehr übrig."
        : plural.de(
            count,
            "Es ist noch 1 Wiederherstellungscode übrig.",
            "Es sind noch {n} Wiederherstellungscodes übrig.",
          ),
    joinTitle: "Willkommen",
    joinFor: (email: string) => `Diese Einladung ist für ${email}.`,
    joinLead:
      "Sie brauchen kein Passwort: Ein Passkey bleibt auf Ihrem Gerät oder in Ihrem Passwortmanager und lässt sich weder erraten noch versehentlich weitergeben.",
    name: "Ihr Name",
    nameHint: "So wie ihn andere hier sehen.",
    ownEmailHint:
      "Ihre eigene. Mit einem Wiederherstellungscode melden Sie sich damit an, wenn Ihr Passkey verloren ist.",
    makePasskey: "Passkey erstellen",
    noInvitation: "In dieser Adresse steckt keine Einladung. Öffnen Sie den Link genau so, wie Sie ihn bekommen haben.",
    notMade: "Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal.",
    invitationEnded: "Diese Einladung wurde schon benutzt, ersetzt oder ist zu alt. Bitten Sie um eine neue.",
    codesTitle: "Wiederherstellungscodes aufbewahren",
    codesText:
      "Geht Ihr Passkey verloren, kommen Sie mit jedem dieser Codes einmal herein. Sie werden nur jetzt gezeigt.",
    copyAll: "Alle kopieren",
    copied: "Wiederherstellungscodes kopiert",
    download: "Als Datei herunterladen",
    kept: "Ich habe diese Codes sicher aufbewahrt",
    goOn: "Weiter",
    firstKeep: "zuerst die Codes aufbewahren",
    secondTitle: "Zweiten Passkey hinzufügen",
    secondText:
      "Mit einem Passkey auf einem anderen Gerät oder Sicherheitsschlüssel sperren Sie sich nicht aus, wenn einer verloren geht.",
    addSecond: "Zweiten Passkey hinzufügen",
    later: "Später",
    added: "Passkey hinzugefügt",
  },
  fr: {
    backToRequest: "Revenir à la demande de l’application sans se connecter",
    signedOutTitle: "Vous êtes déconnecté",
    signedOutText: "Il ne reste rien de votre session dans cet onglet.",
    afterRecoveryTitle: "Vous êtes entré avec un code de récupération",
    afterRecoveryText:
      "Il est désormais consommé. Créez une clé d’accès sur cet appareil pour ne plus avoir besoin de code la prochaine fois.",
    codesLeft: (count: number) =>
      count === 0
        ? "Il ne reste aucun code de récupération."
        : plural.fr(count, "Il reste {n} code de récupération.", "Il reste {n} codes de récupération."),
    joinTitle: "Bienvenue",
    joinFor: (email: string) => `Cette invitation est pour ${email}.`,
    joinLead:
      "Aucun mot de passe n’est nécessaire : une clé d’accès reste sur votre appareil ou dans votre gestionnaire de mots de passe ; elle ne peut être ni devinée ni divulguée par erreur.",
    name: "Votre nom",
    nameHint: "Tel que les autres le verront ici.",
    ownEmailHint: "La vôtre. Avec un code de récupération, elle vous connecte si votre clé d’accès est perdue.",
    makePasskey: "Créer votre clé d’accès",
    noInvitation: "Cette adresse ne contient pas d’invitation. Ouvrez le lien exactement comme vous l’avez reçu.",
    notMade: "Aucune clé d’accès n’a été créée. Réessayez.",
    invitationEnded: "Cette invitation a été utilisée, remplacée ou est trop ancienne. Demandez-en une autre.",
    codesTitle: "Conservez vos codes de récupération",
    codesText:
      "Si vous perdez votre clé d’accès, chacun de ces codes vous laisse entrer une fois. Ils ne sont affichés que maintenant.",
    copyAll: "Tout copier",
    copied: "Codes de récupération copiés",
    download: "Télécharger dans un fichier",
    kept: "J’ai conservé ces codes en lieu sûr",
    goOn: "Continuer",
    firstKeep: "conservez d’abord les codes",
    secondTitle: "Ajouter une deuxième clé d’accès",
    secondText:
      "Avec une clé d’accès sur un autre appareil ou une clé de sécurité, vous n’êtes pas bloqué si l’une est perdue.",
    addSecond: "Ajouter une deuxième clé d’accès",
    later: "Plus tard",
    added: "Clé d’accès ajoutée",
  },
  es: {
    backToRequest: "Volver a la solicitud de la aplicación sin iniciar sesión",
    signedOutTitle: "Ha cerrado la sesión",
    signedOutText: "En esta pestaña no queda nada de su sesión.",
    afterRecoveryTitle: "Ha entrado con un código de recuperación",
    afterRecoveryText:
      "Ya está gastado. Cree una clave de acceso en este dispositivo para no necesitar un código la próxima vez.",
    codesLeft: (count: number) =>
      count === 0
        ? "No queda ningún código de recuperación."
        : plural.es(count, "Queda 1 código de recuperación.", "Quedan {n} códigos de recuperación."),
    joinTitle: "Bienvenido",
    joinFor: (email: string) => `Esta invitación es para ${email}.`,
    joinLead:
      "No necesita contraseña: una clave de acceso se queda en su dispositivo o en su gestor de contraseñas, y no se puede adivinar ni entregar por error.",
    name: "Su nombre",
    nameHint: "Como lo verán aquí los demás.",
    ownEmailHint: "El suyo. Con un código de recuperación le permite entrar si pierde su clave de acceso.",
    makePasskey: "Crear su clave de acceso",
    noInvitation: "Esta dirección no contiene ninguna invitación. Abra el enlace tal como lo recibió.",
    notMade: "No se ha creado ninguna clave de acceso. Inténtelo de nuevo.",
    invitationEnded: "Esta invitación ya se usó, fue reemplazada o es demasiado antigua. Pida otra.",
    codesTitle: "Guarde sus códigos de recuperación",
    codesText:
      "Si pierde su clave de acceso, cada uno de estos códigos le deja entrar una vez. Solo se muestran ahora.",
    copyAll: "Copiar todos",
    copied: "Códigos de recuperación copiados",
    download: "Descargar como fichero",
    kept: "He guardado estos códigos en un lugar seguro",
    goOn: "Continuar",
    firstKeep: "guarde primero los códigos",
    secondTitle: "Añadir una segunda clave de acceso",
    secondText: "Con una clave de acceso en otro dispositivo o una llave de seguridad no se queda fuera si pierde una.",
    addSecond: "Añadir una segunda clave de acceso",
    later: "Más tarde",
    added: "Clave de acceso añadida",
  },
});
