import { wordsOf } from "../../language/language.js";
import { plural } from "../../language/plural.js";

export const keyWords = wordsOf({
  en: {
    title: "Keys",
    lead: "What signs tokens and deliveries, and what stored values are sealed under. Private keys are never shown.",
    signing: "Keys that sign access tokens",
    sealing: "Keys that seal what is stored",
    server: "The server's own keys",
    webhooks: "Keys that sign webhooks",
    key: "Key",
    algorithm: "Algorithm",
    since: "First signature",
    until: "Last signature",
    states: { next: "Next", active: "Signs", retiring: "Only verified", expired: "Expired" },
    version: "Version",
    inUse: "In use",
    available: "Here",
    missing: "Missing",
    values: "Values under it",
    damaged: "damaged, no key opens it",
    activeFrom: "First use",
    first: "at the beginning",
    none: "There are none",
    rotate: "Rotate",
    rotateTitle: "Let the next key sign?",
    rotateText: "Needs no restart and invalidates no token: the key before goes on being verified.",
    revoke: "Revoke",
    revokeTitle: "Revoke this key?",
    revokeText:
      "For a key that somebody may have. Every token that it signed is refused within 5 seconds; programs get new ones with their refresh tokens.",
    rotateServerTitle: "Make the next version?",
    rotateServerText:
      "It is used a minute from now, when every server knows it. What was made under those before stays good.",
    rewrap: "Seal again under the active key",
    rewrapLead:
      "Everything stored under an older key is sealed again. It is safe while servers work, and can be broken off.",
    rewrapping: (done: number) => plural.en(done, "1 value sealed again so far", "{n} values sealed again so far"),
    rewrapped: (done: number, unreadable: number) =>
      unreadable === 0
        ? plural.en(done, "1 value sealed again", "{n} values sealed again")
        : `${plural.en(done, "1 value sealed again", "{n} values sealed again")}, ${plural.en(unreadable, "1 cannot be read", "{n} cannot be read")}`,
    names: {
      "secret-hash": "Hashes of secrets",
      "mcp-session": "MCP sessions",
      "webhook-signature": "Signatures of webhooks",
    },
  },
  de: {
    title: "Schlüssel",
    lead: "Womit Tokens und Zustellungen signiert und gespeicherte Werte versiegelt werden. Private Schlüssel werden nie gezeigt.",
    signing: "Schlüssel, die Access-Tokens signieren",
    sealing: "Schlüssel, die Gespeichertes versiegeln",
    server: "Eigene Schlüssel des Servers",
    webhooks: "Schlüssel, die Webhooks signieren",
    key: "Schlüssel",
    algorithm: "Verfahren",
    since: "Erste Signatur",
    until: "Letzte Signatur",
    states: { next: "Nächster", active: "Signiert", retiring: "Wird nur geprüft", expired: "Abgelaufen" },
    version: "Version",
    inUse: "In Gebrauch",
    available: "Vorhanden",
    missing: "Fehlt",
    values: "Werte darunter",
    damaged: "beschädigt, kein Schlüssel öffnet es",
    activeFrom: "Erste Verwendung",
    first: "am Anfang",
    none: "Es gibt keine",
    rotate: "Wechseln",
    rotateTitle: "Den nächsten Schlüssel signieren lassen?",
    rotateText: "Braucht keinen Neustart und macht kein Token ungültig: Der bisherige wird weiter geprüft.",
    revoke: "Widerrufen",
    revokeTitle: "Diesen Schlüssel widerrufen?",
    revokeText:
      "Für einen Schlüssel, den jemand haben könnte. Jedes damit signierte Token wird in 5 Sekunden abgewiesen; Programme holen sich mit ihren Refresh-Tokens neue.",
    rotateServerTitle: "Die nächste Version anlegen?",
    rotateServerText:
      "Sie wird in einer Minute benutzt, wenn jeder Server sie kennt. Was unter früheren entstand, bleibt gültig.",
    rewrap: "Unter dem aktiven Schlüssel neu versiegeln",
    rewrapLead:
      "Alles unter älteren Schlüsseln wird neu versiegelt. Das geht im laufenden Betrieb und lässt sich abbrechen.",
    rewrapping: (done: number) => plural.de(done, "1 Wert bisher neu versiegelt", "{n} Werte bisher neu versiegelt"),
    rewrapped: (done: number, unreadable: number) =>
      unreadable === 0
        ? plural.de(done, "1 Wert neu versiegelt", "{n} Werte neu versiegelt")
        : `${plural.de(done, "1 Wert neu versiegelt", "{n} Werte neu versiegelt")}, ${plural.de(unreadable, "1 ist nicht zu lesen", "{n} sind nicht zu lesen")}`,
    names: {
      "secret-hash": "Prüfsummen von Geheimnissen",
      "mcp-session": "MCP-Sitzungen",
      "webhook-signature": "Signaturen von Webhooks",
    },
  },
  fr: {
    title: "Clés",
    lead: "Ce qui signe jetons et envois, et ce qui scelle les valeurs conservées. Les clés privées ne sont jamais montrées.",
    signing: "Clés qui signent les jetons d’accès",
    sealing: "Clés qui scellent ce qui est conservé",
    server: "Clés propres au serveur",
    webhooks: "Clés qui signent les webhooks",
    key: "Clé",
    algorithm: "Algorithme",
    since: "Première signature",
    until: "Dernière signature",
    states: { next: "Suivante", active: "Signe", retiring: "Vérifiée seulement", expired: "Expirée" },
    version: "Version",
    inUse: "Utilisée",
    available: "Présente",
    missing: "Absente",
    values: "Valeurs sous elle",
    damaged: "endommagé, aucune clé ne l’ouvre",
    activeFrom: "Première utilisation",
    first: "au début",
    none: "Il n’y en a pas",
    rotate: "Changer",
    rotateTitle: "Laisser signer la clé suivante ?",
    rotateText: "Sans redémarrage et sans invalider de jeton : la clé précédente reste vérifiée.",
    revoke: "Révoquer",
    revokeTitle: "Révoquer cette clé ?",
    revokeText:
      "Pour une clé que quelqu’un pourrait détenir. Tout jeton signé par elle est refusé en 5 secondes ; les programmes en obtiennent de nouveaux.",
    rotateServerTitle: "Créer la version suivante ?",
    rotateServerText: "Elle sert dans une minute, quand chaque serveur la connaît. Ce qui date d’avant reste valable.",
    rewrap: "Resceller sous la clé active",
    rewrapLead:
      "Tout ce qui est sous une clé plus ancienne est rescellé. C’est sûr pendant le service et peut être interrompu.",
    rewrapping: (done: number) => plural.fr(done, "{n} valeur rescellée jusqu’ici", "{n} valeurs rescellées jusqu’ici"),
    rewrapped: (done: number, unreadable: number) =>
      unreadable === 0
        ? plural.fr(done, "{n} valeur rescellée", "{n} valeurs rescellées")
        : `${plural.fr(done, "{n} valeur rescellée", "{n} valeurs rescellées")}, ${plural.fr(unreadable, "{n} illisible", "{n} illisibles", "{n} illisibles")}`,
    names: {
      "secret-hash": "Empreintes des secrets",
      "mcp-session": "Sessions MCP",
      "webhook-signature": "Signatures des webhooks",
    },
  },
  es: {
    title: "Claves",
    lead: "Con qué se firman tokens y envíos y se sellan los valores guardados. Las claves privadas nunca se muestran.",
    signing: "Claves que firman los tokens de acceso",
    sealing: "Claves que sellan lo guardado",
    server: "Claves propias del servidor",
    webhooks: "Claves que firman los webhooks",
    key: "Clave",
    algorithm: "Algoritmo",
    since: "Primera firma",
    until: "Última firma",
    states: { next: "Siguiente", active: "Firma", retiring: "Solo se verifica", expired: "Caducada" },
    version: "Versión",
    inUse: "En uso",
    available: "Presente",
    missing: "Falta",
    values: "Valores bajo ella",
    damaged: "dañado, ninguna clave lo abre",
    activeFrom: "Primer uso",
    first: "al principio",
    none: "No hay ninguna",
    rotate: "Cambiar",
    rotateTitle: "¿Dejar que firme la clave siguiente?",
    rotateText: "Sin reinicio y sin invalidar ningún token: la anterior se sigue verificando.",
    revoke: "Revocar",
    revokeTitle: "¿Revocar esta clave?",
    revokeText:
      "Para una clave que alguien pueda tener. Todo token firmado con ella se rechaza en 5 segundos; los programas obtienen otros nuevos.",
    rotateServerTitle: "¿Crear la versión siguiente?",
    rotateServerText: "Se usa dentro de un minuto, cuando todos los servidores la conocen. Lo anterior sigue valiendo.",
    rewrap: "Sellar de nuevo con la clave activa",
    rewrapLead:
      "Todo lo que está bajo una clave antigua se sella de nuevo. Es seguro en servicio y puede interrumpirse.",
    rewrapping: (done: number) =>
      plural.es(done, "1 valor sellado de nuevo hasta ahora", "{n} valores sellados de nuevo hasta ahora"),
    rewrapped: (done: number, unreadable: number) =>
      unreadable === 0
        ? plural.es(done, "1 valor sellado de nuevo", "{n} valores sellados de nuevo")
        : `${plural.es(done, "1 valor sellado de nuevo", "{n} valores sellados de nuevo")}, ${plural.es(unreadable, "1 ilegible", "{n} ilegibles", "{n} ilegibles")}`,
    names: {
      "secret-hash": "Resúmenes de secretos",
      "mcp-session": "Sesiones MCP",
      "webhook-signature": "Firmas de webhooks",
    },
  },
});
