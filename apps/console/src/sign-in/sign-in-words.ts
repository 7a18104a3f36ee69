import { wordsOf } from "../language/language.js";

/** Texts for signing in and re-authenticating. Those of joining are apart: nobody needs them on the first screen. */
export const signInWords = wordsOf({
  en: {
    title: "Sign in",
    lead: "With the passkey on this device, your phone or a security key.",
    endedTitle: "Sign in again",
    ended: "Your session has ended. Sign in again to go on where you were: nothing that you typed is lost.",
    email: "E-mail",
    emailHint: "Your browser offers your passkey here.",
    withPasskey: "Sign in with a passkey",
    withProvider: (name: string) => `Sign in with ${name}`,
    proveWithProvider: (name: string) => `Confirm with ${name}`,
    proveInTab: "It opens in another tab. Come back here when you have signed in there.",
    proved: "I have confirmed",
    problems: {
      refused: "Signing in did not work. Try again; if it goes on, ask who administers access here.",
      cancelled:
        "You were not signed in: you went back, or the identity provider has not let you in here. Try again, or choose another way.",
      provider_away:
        "The identity provider cannot be reached at the moment. Try again later, or sign in with a passkey.",
      too_many: "Too many tries from your network. Wait a few minutes.",
      away: "The server could not do that just now. Try again in a moment.",
    },
    withCode: "Sign in with a recovery code",
    code: "Recovery code",
    codeHint: "One of the codes that you kept when you joined. Each works once.",
    useCode: "Use this code",
    wrongCode: "This code does not fit this e-mail address, or was used already. Nothing was used up.",
    nothingGiven: "No passkey was used. Try again, or use a recovery code if you have lost it.",
    obstacles: {
      address:
        "Passkeys need a host name: browsers refuse them at a plain IP address. Open the console by its name, such as localhost, or use a recovery code.",
      insecure: "Passkeys need https. Ask who runs this installation for its https address.",
      browser: "This browser knows no passkeys. Use a newer one, or a recovery code.",
    },
    off: "Passkeys are switched off in this installation.",
    proveTitle: "Is it you?",
    proveText: "What you are about to do cannot be taken back easily. Confirm with your passkey that it is you.",
    proveTextProvider:
      "What you are about to do cannot be taken back easily. Confirm that it is you by signing in once more.",
    notProvedTitle: "The identity provider’s answer was not accepted",
    notProvedText:
      "You are signed in as before. If you wanted to confirm that it is you, go back to the tab that you came from and try again there.",
    prove: "Confirm with a passkey",
  },
  de: {
    title: "Anmelden",
    lead: "Mit dem Passkey auf diesem Gerät, Ihrem Telefon oder einem Sicherheitsschlüssel.",
    endedTitle: "Erneut anmelden",
    ended:
      "Ihre Sitzung ist beendet. Melden Sie sich an, um dort weiterzumachen, wo Sie waren: Ihre Eingaben sind nicht verloren.",
    email: "E-Mail",
    emailHint: "Ihr Browser bietet hier Ihren Passkey an.",
    withPasskey: "Mit Passkey anmelden",
    withProvider: (name: string) => `Mit ${name} anmelden`,
    proveWithProvider: (name: string) => `Mit ${name} bestätigen`,
    proveInTab: "Es öffnet sich in einem anderen Tab. Kommen Sie hierher zurück, wenn Sie sich dort angemeldet haben.",
    proved: "Ich habe bestätigt",
    problems: {
      refused:
        "Die Anmeldung hat nicht geklappt. Versuchen Sie es noch einmal; bleibt es dabei, fragen Sie, wer hier den Zugang verwaltet.",
      cancelled:
        "Sie wurden nicht angemeldet: Sie haben abgebrochen, oder der Identitätsanbieter hat Sie hier nicht zugelassen. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.",
      provider_away:
        "Der Identitätsanbieter ist gerade nicht erreichbar. Versuchen Sie es später, oder melden Sie sich mit einem Passkey an.",
      too_many: "Zu viele Versuche aus Ihrem Netz. Warten Sie einige Minuten.",
      away: "Der Server konnte das gerade nicht tun. Versuchen Sie es gleich noch einmal.",
    },
    withCode: "Mit Wiederherstellungscode anmelden",
    code: "Wiederherstellungscode",
    codeHint: "Einer der Codes, die Sie beim Einrichten aufbewahrt haben. Jeder gilt einmal.",
    useCode: "Diesen Code verwenden",
    wrongCode: "Dieser Code passt nicht zu dieser E-Mail-Adresse oder wurde schon verwendet. Verbraucht wurde nichts.",
    nothingGiven:
      "Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder nehmen Sie einen Wiederherstellungscode, wenn er verloren ist.",
    obstacles: {
      address:
        "Passkeys brauchen einen Rechnernamen: Bei einer IP-Adresse lehnen Browser sie ab. Öffnen Sie die Konsole unter ihrem Namen, etwa localhost, oder nehmen Sie einen Wiederherstellungscode.",
      insecure: "Passkeys brauchen https. Fragen Sie die Betreiber nach der https-Adresse.",
      browser: "Dieser Browser kennt keine Passkeys. Nehmen Sie einen neueren oder einen Wiederherstellungscode.",
    },
    off: "Passkeys sind in dieser Installation abgeschaltet.",
    proveTitle: "Sind Sie es?",
    proveText:
      "Was Sie vorhaben, lässt sich nicht leicht rückgängig machen. Bestätigen Sie mit Ihrem Passkey, dass Sie es sind.",
    proveTextProvider:
      "Was Sie vorhaben, lässt sich nicht leicht rückgängig machen. Bestätigen Sie, dass Sie es sind, indem Sie sich noch einmal anmelden.",
    notProvedTitle: "Die Antwort des Identitätsanbieters wurde nicht angenommen",
    notProvedText:
      "Sie sind angemeldet wie zuvor. Wollten Sie bestätigen, dass Sie es sind, gehen Sie zurück in den Tab, aus dem Sie kamen, und versuchen Sie es dort noch einmal.",
    prove: "Mit Passkey bestätigen",
  },
  fr: {
    title: "Se connecter",
    lead: "Avec la clé d’accès de cet appareil, de votre téléphone ou d’une clé de sécurité.",
    endedTitle: "Se reconnecter",
    ended: "Votre session est terminée. Reconnectez-vous pour reprendre où vous en étiez : votre saisie est conservée.",
    email: "E-mail",
    emailHint: "Votre navigateur propose ici votre clé d’accès.",
    withPasskey: "Se connecter avec une clé d’accès",
    withProvider: (name: string) => `Se connecter avec ${name}`,
    proveWithProvider: (name: string) => `Confirmer avec ${name}`,
    proveInTab: "Cela s’ouvre dans un autre onglet. Revenez ici une fois connecté là-bas.",
    proved: "J’ai confirmé",
    problems: {
      refused: "La connexion n’a pas abouti. Réessayez ; si cela persiste, demandez à qui gère les accès ici.",
      cancelled:
        "Vous n’êtes pas connecté : vous avez annulé, ou le fournisseur d’identité ne vous a pas autorisé ici. Réessayez ou choisissez un autre moyen.",
      provider_away:
        "Le fournisseur d’identité est injoignable pour le moment. Réessayez plus tard, ou connectez-vous avec une clé d’accès.",
      too_many: "Trop d’essais depuis votre réseau. Attendez quelques minutes.",
      away: "Le serveur n’a pas pu le faire à l’instant. Réessayez dans un moment.",
    },
    withCode: "Se connecter avec un code de récupération",
    code: "Code de récupération",
    codeHint: "L’un des codes que vous avez conservés à l’inscription. Chacun ne sert qu’une fois.",
    useCode: "Utiliser ce code",
    wrongCode: "Ce code ne correspond pas à cette adresse e-mail, ou a déjà servi. Aucun code n’a été consommé.",
    nothingGiven:
      "Aucune clé d’accès n’a été utilisée. Réessayez, ou utilisez un code de récupération si vous l’avez perdue.",
    obstacles: {
      address:
        "Les clés d’accès exigent un nom d’hôte : les navigateurs les refusent à une simple adresse IP. Ouvrez la console par son nom, comme localhost, ou utilisez un code de récupération.",
      insecure: "Les clés d’accès exigent https. Demandez l’adresse https aux responsables de cette installation.",
      browser: "Ce navigateur ne connaît pas les clés d’accès. Utilisez-en un plus récent, ou un code de récupération.",
    },
    off: "Les clés d’accès sont désactivées dans cette installation.",
    proveTitle: "Est-ce bien vous ?",
    proveText: "Ce que vous allez faire est difficile à annuler. Confirmez avec votre clé d’accès que c’est bien vous.",
    proveTextProvider:
      "Ce que vous allez faire est difficile à annuler. Confirmez que c’est bien vous en vous connectant encore une fois.",
    notProvedTitle: "La réponse du fournisseur d’identité n’a pas été acceptée",
    notProvedText:
      "Vous êtes connecté comme avant. Si vous vouliez confirmer que c’est bien vous, retournez dans l’onglet d’où vous venez et réessayez là-bas.",
    prove: "Confirmer avec une clé d’accès",
  },
  es: {
    title: "Iniciar sesión",
    lead: "Con la clave de acceso de este dispositivo, de su teléfono o de una llave de seguridad.",
    endedTitle: "Inicie sesión de nuevo",
    ended: "Su sesión ha terminado. Inicie sesión para seguir donde estaba: no se ha perdido nada de lo que escribió.",
    email: "Correo electrónico",
    emailHint: "Su navegador ofrece aquí su clave de acceso.",
    withPasskey: "Iniciar sesión con una clave de acceso",
    withProvider: (name: string) => `Iniciar sesión con ${name}`,
    proveWithProvider: (name: string) => `Confirmar con ${name}`,
    proveInTab: "Se abre en otra pestaña. Vuelva aquí cuando haya iniciado sesión allí.",
    proved: "He confirmado",
    problems: {
      refused:
        "El inicio de sesión no funcionó. Inténtelo de nuevo; si sigue igual, pregunte a quien administra el acceso aquí.",
      cancelled:
        "No ha iniciado sesión: ha cancelado o el proveedor de identidad no le ha dado acceso aquí. Inténtelo de nuevo o elija otra opción.",
      provider_away:
        "El proveedor de identidad no está disponible en este momento. Inténtelo más tarde o entre con una clave de acceso.",
      too_many: "Demasiados intentos desde su red. Espere unos minutos.",
      away: "El servidor no pudo hacerlo en este momento. Inténtelo de nuevo en un instante.",
    },
    withCode: "Iniciar sesión con un código de recuperación",
    code: "Código de recuperación",
    codeHint: "Uno de los códigos que guardó al empezar. Cada uno sirve una vez.",
    useCode: "Usar este código",
    wrongCode: "Este código no corresponde a esta dirección de correo, o ya se usó. No se ha gastado ninguno.",
    nothingGiven:
      "No se ha usado ninguna clave de acceso. Inténtelo de nuevo, o use un código de recuperación si la ha perdido.",
    obstacles: {
      address:
        "Las claves de acceso necesitan un nombre de host: los navegadores las rechazan en una dirección IP. Abra la consola por su nombre, como localhost, o use un código de recuperación.",
      insecure: "Las claves de acceso necesitan https. Pida la dirección https a quienes gestionan esta instalación.",
      browser: "Este navegador no conoce las claves de acceso. Use uno más reciente, o un código de recuperación.",
    },
    off: "Las claves de acceso están desactivadas en esta instalación.",
    proveTitle: "¿Es usted?",
    proveText: "Lo que va a hacer no se deshace fácilmente. Confirme con su clave de acceso que es usted.",
    proveTextProvider: "Lo que va a hacer no es fácil de deshacer. Confirme que es usted iniciando sesión una vez más.",
    notProvedTitle: "No se aceptó la respuesta del proveedor de identidad",
    notProvedText:
      "Su sesión sigue como antes. Si quería confirmar que es usted, vuelva a la pestaña de la que vino e inténtelo allí de nuevo.",
    prove: "Confirmar con una clave de acceso",
  },
});
