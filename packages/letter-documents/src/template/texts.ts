import type { SessionLanguage } from "@org/core";

/**
 * The letter in each language, in the format that {@link fillTemplate} reads: the first line is the title, an empty line ends a
 * paragraph, `{{name}}` stands for a value, a line whose value is missing is left out, and `{{signature}}` draws a line to sign on.
 */
export const builtInTexts: Readonly<Record<SessionLanguage, string>> = {
  en: `Authorization to transmit financial data

{{full_name}}
{{address}}

{{bank}}

{{date}}
Reference: {{reference}}

To whom it may concern,

I, {{full_name}}, authorize {{bank}} to transmit the positions, balances and transactions of my accounts to the following recipient, through the service that presents this letter, and both to receive them on my behalf:

{{authorized}}
{{authorized_address}}

Accounts: {{accounts}}
All of my accounts are covered.{{when_all_accounts}}
Date of birth: {{birth_date}}
Tax or identity number: {{tax_id}}

This authorization covers reading only. It does not permit payments, orders or changes of any kind.

It takes effect once you accept it and remains in force until I withdraw it or you are told that it has ended.

{{signature}}
Place and date, signature of {{full_name}}
`,
  es: `Autorización para transmitir datos financieros

{{full_name}}
{{address}}

{{bank}}

{{date}}
Referencia: {{reference}}

A quien corresponda:

Yo, {{full_name}}, autorizo a {{bank}} a transmitir las posiciones, los saldos y los movimientos de mis cuentas al destinatario siguiente, a través del servicio que presenta esta carta, y a ambos a recibirlos en mi nombre:

{{authorized}}
{{authorized_address}}

Cuentas: {{accounts}}
Se incluyen todas mis cuentas.{{when_all_accounts}}
Fecha de nacimiento: {{birth_date}}
Número fiscal o de identidad: {{tax_id}}

Esta autorización es solo de lectura. No permite pagos, órdenes ni cambios de ningún tipo.

Surte efecto cuando ustedes la acepten y sigue vigente hasta que yo la retire o se les comunique que ha terminado.

{{signature}}
Lugar y fecha, firma de {{full_name}}
`,
  fr: `Autorisation de transmettre des données financières

{{full_name}}
{{address}}

{{bank}}

{{date}}
Référence : {{reference}}

Madame, Monsieur,

Je, {{full_name}}, autorise {{bank}} à transmettre les positions, les soldes et les opérations de mes comptes au destinataire ci-dessous, par l’intermédiaire du service qui présente cette lettre, et tous deux à les recevoir en mon nom :

{{authorized}}
{{authorized_address}}

Comptes : {{accounts}}
Tous mes comptes sont concernés.{{when_all_accounts}}
Date de naissance : {{birth_date}}
Numéro fiscal ou d’identité : {{tax_id}}

Cette autorisation ne permet que la lecture. Elle ne permet ni paiement, ni ordre, ni modification d’aucune sorte.

Elle prend effet lorsque vous l’avez acceptée et reste valable jusqu’à ce que je la retire ou que sa fin vous soit annoncée.

{{signature}}
Lieu et date, signature de {{full_name}}
`,
  de: `Ermächtigung zur Übermittlung von Finanzdaten

{{full_name}}
{{address}}

{{bank}}

{{date}}
Referenz: {{reference}}

Sehr geehrte Damen und Herren,

ich, {{full_name}}, ermächtige {{bank}}, die Bestände, Salden und Umsätze meiner Konten über den Dienst, der dieses Schreiben vorlegt, an den folgenden Empfänger zu übermitteln, und beide, sie in meinem Namen zu empfangen:

{{authorized}}
{{authorized_address}}

Konten: {{accounts}}
Alle meine Konten sind eingeschlossen.{{when_all_accounts}}
Geburtsdatum: {{birth_date}}
Steuer- oder Ausweisnummer: {{tax_id}}

Diese Ermächtigung erlaubt nur das Lesen. Sie erlaubt keine Zahlung, keinen Auftrag und keine Änderung irgendeiner Art.

Sie gilt, sobald Sie sie angenommen haben, und bleibt in Kraft, bis ich sie widerrufe oder Ihnen ihr Ende mitgeteilt wird.

{{signature}}
Ort und Datum, Unterschrift von {{full_name}}
`,
};
