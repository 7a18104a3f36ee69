import type { SessionLanguage } from "@org/core";

/** What is wrong with the customer's input. */
export type LoginProblem = "no_username" | "wrong_credentials";

/** Every text of the sandbox's pages, in one language. A table with a missing key does not compile. */
interface Words {
  readonly title: (bank: string) => string;
  readonly someBank: string;
  readonly invented: string;
  readonly username: string;
  readonly password: string;
  readonly passwordHint: string;
  readonly consent: string;
  readonly agree: string;
  readonly decline: string;
  readonly errorPrefix: string;
  readonly errorHeading: string;
  readonly problems: Readonly<Record<LoginProblem, string>>;
  readonly lostTitle: string;
  readonly lostText: string;
}

/** The texts of the sandbox's pages in the languages of the widget. */
export const sandboxWords: Readonly<Record<SessionLanguage, Words>> = {
  en: {
    title: (bank) => `${bank}: log in`,
    someBank: "Sandbox bank",
    invented: "This is the page of an invented bank, for trying things out. Never type a real password here.",
    username: "User name",
    password: "Password",
    passwordHint:
      "Any user name and password get in. SLOW, SCA_SMS and the other words of the sandbox do what they say.",
    consent: "If you agree, your accounts, holdings and transactions are shared. Nothing can be bought, sold or paid.",
    agree: "Log in and agree",
    decline: "Decline",
    errorPrefix: "Error",
    errorHeading: "There is a problem",
    problems: {
      no_username: "Enter a user name",
      wrong_credentials: "The user name or the password is wrong",
    },
    lostTitle: "Nothing to log in to",
    lostText:
      "This page of the sandbox belongs to a login, and the address names none. Begin again where you came from.",
  },
  de: {
    title: (bank) => `${bank}: Anmeldung`,
    someBank: "Sandbox-Bank",
    invented: "Das ist die Seite einer erfundenen Bank zum Ausprobieren. Geben Sie hier nie ein echtes Passwort ein.",
    username: "Benutzername",
    password: "Passwort",
    passwordHint:
      "Jeder Benutzername und jedes Passwort werden angenommen. SLOW, SCA_SMS und die anderen Wörter der Sandbox bewirken, was sie sagen.",
    consent:
      "Wenn Sie zustimmen, werden Ihre Konten, Bestände und Umsätze weitergegeben. Damit lässt sich nichts kaufen, verkaufen oder bezahlen.",
    agree: "Anmelden und zustimmen",
    decline: "Ablehnen",
    errorPrefix: "Fehler",
    errorHeading: "Etwas stimmt nicht",
    problems: {
      no_username: "Geben Sie einen Benutzernamen ein",
      wrong_credentials: "Benutzername oder Passwort ist falsch",
    },
    lostTitle: "Hier gibt es nichts anzumelden",
    lostText:
      "Diese Seite der Sandbox gehört zu einer Anmeldung, und die Adresse nennt keine. Beginnen Sie noch einmal dort, woher Sie kommen.",
  },
  fr: {
    title: (bank) => `${bank} : identification`,
    someBank: "Banque d’essai",
    invented:
      "Ceci est la page d’une banque inventée, pour faire des essais. Ne saisissez jamais ici un vrai mot de passe.",
    username: "Identifiant",
    password: "Mot de passe",
    passwordHint:
      "Tout identifiant et tout mot de passe sont acceptés. SLOW, SCA_SMS et les autres mots du bac à sable font ce qu’ils disent.",
    consent:
      "Si vous acceptez, vos comptes, vos positions et vos opérations sont partagés. Rien ne peut être acheté, vendu ni payé.",
    agree: "M’identifier et accepter",
    decline: "Refuser",
    errorPrefix: "Erreur",
    errorHeading: "Il y a un problème",
    problems: {
      no_username: "Saisissez un identifiant",
      wrong_credentials: "L’identifiant ou le mot de passe est incorrect",
    },
    lostTitle: "Aucune identification en cours",
    lostText:
      "Cette page du bac à sable appartient à une identification, et l’adresse n’en désigne aucune. Recommencez là d’où vous venez.",
  },
  es: {
    title: (bank) => `${bank}: acceso`,
    someBank: "Banco de prueba",
    invented: "Esta es la página de un banco inventado, para hacer pruebas. No escriba nunca aquí una contraseña real.",
    username: "Nombre de usuario",
    password: "Contraseña",
    passwordHint:
      "Vale cualquier nombre de usuario y contraseña. SLOW, SCA_SMS y las otras palabras del entorno de pruebas hacen lo que dicen.",
    consent:
      "Si acepta, se comparten sus cuentas, posiciones y movimientos. Con esto no se puede comprar, vender ni pagar nada.",
    agree: "Entrar y aceptar",
    decline: "Rechazar",
    errorPrefix: "Error",
    errorHeading: "Hay un problema",
    problems: {
      no_username: "Escriba un nombre de usuario",
      wrong_credentials: "El nombre de usuario o la contraseña no son correctos",
    },
    lostTitle: "No hay ningún acceso en curso",
    lostText:
      "Esta página del entorno de pruebas pertenece a un acceso, y la dirección no nombra ninguno. Empiece de nuevo donde estaba.",
  },
};
