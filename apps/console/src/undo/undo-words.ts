import { wordsOf } from "../language/language.js";
import { plural } from "../language/plural.js";

/** Texts about mails that wait, and about taking them back with their moves. `time` is such as "27 seconds". */
export const undoWords = wordsOf({
  en: {
    region: "Mails that wait",
    goesOutTo: (to: string, time: string) => `1 mail to ${to} goes out in ${time}`,
    goOut: (mails: number, time: string) =>
      plural.en(mails, `1 mail goes out in ${time}`, `{n} mails go out in ${time}`),
    leaves: (time: string) => `goes out in ${time}`,
    undo: "Undo",
    keyUndo: "Undo the last move while its mail waits, or do not send a mail that waits",
    undone: "Undone: nothing was mailed",
    notSent: "Not sent. The letter says what is to be done instead.",
    ofMails: {
      withdraw: (mails: number): string => plural.en(mails, "Do not send it", "Do not send them"),
    },
  },
  de: {
    region: "Wartende E-Mails",
    goesOutTo: (to: string, time: string) => `1 E-Mail an ${to} wird in ${time} gesendet`,
    goOut: (mails: number, time: string) =>
      plural.de(mails, `1 E-Mail wird in ${time} gesendet`, `{n} E-Mails werden in ${time} gesendet`),
    leaves: (time: string) => `wird in ${time} gesendet`,
    undo: "Rückgängig machen",
    keyUndo: "Letzten Schritt rückgängig machen oder wartende E-Mail nicht senden, solange sie wartet",
    undone: "Rückgängig gemacht: Es wurde nichts gesendet",
    notSent: "Nicht gesendet. Bei der Vollmacht steht, was stattdessen zu tun ist.",
    ofMails: {
      withdraw: (_mails: number): string => "Nicht senden",
    },
  },
  fr: {
    region: "E-mails en attente",
    goesOutTo: (to: string, time: string) => `1 e-mail à ${to} part dans ${time}`,
    goOut: (mails: number, time: string) =>
      plural.fr(mails, `{n} e-mail part dans ${time}`, `{n} e-mails partent dans ${time}`),
    leaves: (time: string) => `part dans ${time}`,
    undo: "Annuler l’envoi",
    keyUndo: "Annuler la dernière étape, ou ne pas envoyer l’e-mail, tant qu’il attend",
    undone: "Étape annulée : rien n’a été envoyé",
    notSent: "E-mail non envoyé. La lettre indique ce qu’il faut faire à la place.",
    ofMails: {
      withdraw: (mails: number): string => plural.fr(mails, "Ne pas l’envoyer", "Ne pas les envoyer"),
    },
  },
  es: {
    region: "Correos en espera",
    goesOutTo: (to: string, time: string) => `1 correo a ${to} sale en ${time}`,
    goOut: (mails: number, time: string) =>
      plural.es(mails, `1 correo sale en ${time}`, `{n} correos salen en ${time}`),
    leaves: (time: string) => `sale en ${time}`,
    undo: "Deshacer",
    keyUndo: "Deshacer el último paso, o no enviar el correo, mientras espera",
    undone: "Deshecho: no se ha enviado nada",
    notSent: "Correo no enviado. La carta dice qué hacer en su lugar.",
    ofMails: {
      withdraw: (mails: number): string => plural.es(mails, "No enviarlo", "No enviarlos"),
    },
  },
});
