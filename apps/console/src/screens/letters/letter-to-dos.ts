import type { AnswerOf } from "../../api/paths.js";
import { wordsOf } from "../../language/language.js";

type ToDo = AnswerOf<"/operator/v1/letters/show">["letter"]["to_do"];

/** What is next about a letter. */
export const letterToDos = wordsOf<Readonly<Record<ToDo["code"], string>>>({
  en: {
    collect_details: "enter the client’s details",
    generate: "check the details and generate the letter",
    send_to_client: "send the letter to the client",
    sign: "sign the letter and send it back; then attach it",
    send_to_custodian: "send the letter to the custodian",
    accept: "accept the letter; then note it",
    start_setup: "begin the setup with the custodian",
    finish_setup: "finish the setup",
    send_file: "send the first file, which connects the letter",
    nothing: "nothing: the custodian sends files",
    resolve: "find out why no data comes, then resume",
    deliver_notice: "deliver the notice to the custodian, which ends the letter",
    ended: "nothing: it has ended",
    unmailed_signature_request: "hand the letter to the client, who has no address here; attach it when it is back",
    unmailed_authorization_letter:
      "the custodian has no address here: enter one and mail again, or send the letter yourself",
    unmailed_revocation_notice:
      "the custodian has no address here: tell them yourself, then advance; or enter one and mail again",
    client_mail_failed: "the mail failed: send it to another address",
    custodian_mail_failed: "the mail failed: correct the address and mail again",
    mail_in_doubt: "ask whether the mail arrived; then confirm it or send it again",
    mail_waits: "mail is not set up here, and this one waits: send it yourself",
  },
  de: {
    collect_details: "die Angaben des Kunden eintragen",
    generate: "die Angaben prüfen und die Vollmacht erstellen",
    send_to_client: "die Vollmacht an den Kunden senden",
    sign: "die Vollmacht unterschreiben und zurücksenden; dann wird sie angehängt",
    send_to_custodian: "die Vollmacht an die Depotbank senden",
    accept: "die Vollmacht annehmen; dann wird das eingetragen",
    start_setup: "die Einrichtung mit der Depotbank beginnen",
    finish_setup: "die Einrichtung abschließen",
    send_file: "die erste Datei senden, die die Vollmacht verbindet",
    nothing: "nichts: Die Depotbank sendet Dateien",
    resolve: "herausfinden, warum keine Daten kommen, dann wieder aufnehmen",
    deliver_notice: "die Mitteilung an die Depotbank zustellen, mit der die Vollmacht endet",
    ended: "nichts: Sie ist beendet",
    unmailed_signature_request:
      "die Vollmacht dem Kunden übergeben, der hier keine Adresse hat; anhängen, wenn sie zurück ist",
    unmailed_authorization_letter:
      "die Depotbank hat hier keine Adresse: eine eintragen und noch einmal senden, oder die Vollmacht selbst senden",
    unmailed_revocation_notice:
      "die Depotbank hat hier keine Adresse: selbst Bescheid geben und dann weiter; oder eine eintragen und noch einmal senden",
    client_mail_failed: "die E-Mail ist gescheitert: an eine andere Adresse senden",
    custodian_mail_failed: "die E-Mail ist gescheitert: die Adresse berichtigen und noch einmal senden",
    mail_in_doubt: "fragen, ob die E-Mail angekommen ist; dann bestätigen oder noch einmal senden",
    mail_waits: "E-Mail ist hier nicht eingerichtet, und diese wartet: selbst senden",
  },
  fr: {
    collect_details: "saisir les données du client",
    generate: "vérifier les données et générer la lettre",
    send_to_client: "envoyer la lettre au client",
    sign: "signer la lettre et la renvoyer ; elle est ensuite jointe",
    send_to_custodian: "envoyer la lettre au dépositaire",
    accept: "accepter la lettre ; c’est ensuite noté",
    start_setup: "commencer la mise en place avec le dépositaire",
    finish_setup: "terminer la mise en place",
    send_file: "envoyer le premier fichier, qui connecte la lettre",
    nothing: "rien : le dépositaire envoie des fichiers",
    resolve: "chercher pourquoi aucune donnée n’arrive, puis reprendre",
    deliver_notice: "remettre l’avis au dépositaire, ce qui termine la lettre",
    ended: "rien : elle est terminée",
    unmailed_signature_request: "remettre la lettre au client, qui n’a pas d’adresse ici ; la joindre à son retour",
    unmailed_authorization_letter:
      "le dépositaire n’a pas d’adresse ici : en saisir une et renvoyer, ou envoyer la lettre soi-même",
    unmailed_revocation_notice:
      "le dépositaire n’a pas d’adresse ici : le prévenir soi-même, puis faire avancer ; ou en saisir une et renvoyer",
    client_mail_failed: "l’e-mail a échoué : l’envoyer à une autre adresse",
    custodian_mail_failed: "l’e-mail a échoué : corriger l’adresse et renvoyer",
    mail_in_doubt: "demander si l’e-mail est arrivé ; puis confirmer ou renvoyer",
    mail_waits: "l’e-mail n’est pas configuré ici, et celui-ci attend : l’envoyer soi-même",
  },
  es: {
    collect_details: "anotar los datos del cliente",
    generate: "revisar los datos y generar la carta",
    send_to_client: "enviar la carta al cliente",
    sign: "firmar la carta y devolverla; después se adjunta",
    send_to_custodian: "enviar la carta al custodio",
    accept: "aceptar la carta; después se anota",
    start_setup: "empezar la configuración con el custodio",
    finish_setup: "terminar la configuración",
    send_file: "enviar el primer fichero, que conecta la carta",
    nothing: "nada: el custodio envía ficheros",
    resolve: "averiguar por qué no llegan datos y reanudar",
    deliver_notice: "entregar el aviso al custodio, con lo que termina la carta",
    ended: "nada: ha terminado",
    unmailed_signature_request: "entregar la carta al cliente, que aquí no tiene dirección; adjuntarla cuando vuelva",
    unmailed_authorization_letter:
      "el custodio no tiene dirección aquí: anotar una y reenviar, o enviar la carta por su cuenta",
    unmailed_revocation_notice:
      "el custodio no tiene dirección aquí: avisarle por su cuenta y avanzar; o anotar una y reenviar",
    client_mail_failed: "el correo falló: enviarlo a otra dirección",
    custodian_mail_failed: "el correo falló: corregir la dirección y reenviar",
    mail_in_doubt: "preguntar si llegó el correo; después confirmarlo o reenviarlo",
    mail_waits: "el correo no está configurado aquí y este espera: enviarlo por su cuenta",
  },
});
