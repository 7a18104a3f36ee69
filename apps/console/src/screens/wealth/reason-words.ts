import { wordsOf } from "../../language/language.js";

/** Why a figure is none, and what brings it. */
export const reasonWords = wordsOf({
  en: {
    said: {
      stale: (name: string, from: string, to: string) => `${name}: no value between ${from} and ${to}.`,
      no_data: (name: string) => `${name} has never delivered a value.`,
      value_unknown: (name: string) => `${name}: the bank does not tell the value of everything in it.`,
      no_opening_value: (date: string, first: string | null) =>
        first
          ? `There is no value of ${date}, with which the period opens. The first is of ${first}.`
          : `There is no value of ${date}, with which the period opens, nor any after it.`,
      difference: (name: string, holding: string, from: string, to: string, units: string) =>
        `${name}: the units of ${holding} on ${to} do not follow from those on ${from} and the movements between (${units}).`,
      movements_unread: (name: string, from: string | null, to: string) =>
        from
          ? `${name}: values are known up to ${to}, movements only up to ${from}.`
          : `${name}: values are known up to ${to}, but no movements.`,
      movement_unclear: (name: string, date: string) =>
        `${name}: a movement of ${date} can be money paid in or out, or a gain or loss.`,
      flow_value_unknown: (name: string, date: string) =>
        `${name}: securities came or went on ${date}, and nobody tells their value.`,
      rate_missing: (from: string, to: string, date: string, isMore: boolean) =>
        `There is no exchange rate from ${from} to ${to} for ${date}, nor for the seven days before${isMore ? ", nor for other days" : ""}.`,
      return_undefined: (date: string) => `On ${date} there was a gain or loss, but nothing that could have earned it.`,
      no_root: "No rate explains these amounts.",
      several_roots: "More than one rate explains these amounts.",
    },
    todo: {
      stale: "A statement of a day between is missing: upload it, or choose a period without these days.",
      no_data: "Wait for its first delivery, or look why there is none.",
      value_unknown: "Ask the bank for a statement with values.",
      no_opening_value: "Choose a later first day, or upload an older statement.",
      difference: "A file of movements is missing, or the bank has to correct one.",
      movements_unread:
        "The file with the movements of these days is missing: upload it, or choose an earlier last day.",
      movement_unclear: "The file or its mapping has to tell the kind of the movement.",
      flow_value_unknown: "A statement with their value on about that day is missing.",
      rate_missing: "The operators import exchange rates; or choose another currency.",
      return_undefined: "Choose a period that begins after this day.",
      no_root: "The time-weighted return may exist.",
      several_roots: "The time-weighted return may be clear.",
    },
    open: "Open the connection",
    beginAt: (day: string) => `Begin on ${day}`,
  },
  de: {
    said: {
      stale: (name: string, from: string, to: string) => `${name}: kein Wert zwischen ${from} und ${to}.`,
      no_data: (name: string) => `${name} hat nie einen Wert geliefert.`,
      value_unknown: (name: string) => `${name}: Die Bank nennt nicht von allem den Wert.`,
      no_opening_value: (date: string, first: string | null) =>
        first
          ? `Vom ${date}, mit dem der Zeitraum beginnt, gibt es keinen Wert. Der erste ist vom ${first}.`
          : `Vom ${date}, mit dem der Zeitraum beginnt, gibt es keinen Wert, und auch danach keinen.`,
      difference: (name: string, holding: string, from: string, to: string, units: string) =>
        `${name}: Der Bestand an ${holding} am ${to} folgt nicht aus dem vom ${from} und den Umsätzen dazwischen (${units}).`,
      movements_unread: (name: string, from: string | null, to: string) =>
        from
          ? `${name}: Werte sind bis ${to} bekannt, Umsätze nur bis ${from}.`
          : `${name}: Werte sind bis ${to} bekannt, aber keine Umsätze.`,
      movement_unclear: (name: string, date: string) =>
        `${name}: Ein Umsatz vom ${date} kann eine Ein- oder Auszahlung sein oder ein Gewinn oder Verlust.`,
      flow_value_unknown: (name: string, date: string) =>
        `${name}: Am ${date} kamen oder gingen Wertpapiere, deren Wert niemand nennt.`,
      rate_missing: (from: string, to: string, date: string, isMore: boolean) =>
        `Für den ${date} und die sieben Tage davor gibt es keinen Wechselkurs von ${from} in ${to}${isMore ? ", auch für andere Tage nicht" : ""}.`,
      return_undefined: (date: string) =>
        `Am ${date} gab es einen Gewinn oder Verlust, aber nichts, woraus er stammen könnte.`,
      no_root: "Kein Satz erklärt diese Beträge.",
      several_roots: "Mehrere Sätze erklären diese Beträge.",
    },
    todo: {
      stale:
        "Es fehlt ein Auszug von einem Tag dazwischen: Reichen Sie ihn nach, oder wählen Sie einen Zeitraum ohne diese Tage.",
      no_data: "Warten Sie auf die erste Lieferung, oder sehen Sie nach, warum es keine gibt.",
      value_unknown: "Bitten Sie die Bank um einen Auszug mit Werten.",
      no_opening_value: "Wählen Sie einen späteren ersten Tag, oder reichen Sie einen älteren Auszug nach.",
      difference: "Es fehlt eine Datei mit Umsätzen, oder die Bank muss eine berichtigen.",
      movements_unread:
        "Es fehlt die Datei mit den Umsätzen dieser Tage: Reichen Sie sie nach, oder wählen Sie einen früheren letzten Tag.",
      movement_unclear: "Die Datei oder ihre Zuordnung muss die Art des Umsatzes nennen.",
      flow_value_unknown: "Es fehlt ein Auszug mit ihrem Wert um diesen Tag.",
      rate_missing: "Die Betreiber importieren Wechselkurse; oder wählen Sie eine andere Währung.",
      return_undefined: "Wählen Sie einen Zeitraum, der nach diesem Tag beginnt.",
      no_root: "Die zeitgewichtete Rendite kann es geben.",
      several_roots: "Die zeitgewichtete Rendite kann eindeutig sein.",
    },
    open: "Verbindung öffnen",
    beginAt: (day: string) => `Am ${day} beginnen`,
  },
  fr: {
    said: {
      stale: (name: string, from: string, to: string) => `${name} : aucune valeur entre le ${from} et le ${to}.`,
      no_data: (name: string) => `${name} n’a jamais livré de valeur.`,
      value_unknown: (name: string) => `${name} : la banque n’indique pas la valeur de tout.`,
      no_opening_value: (date: string, first: string | null) =>
        first
          ? `Il n’y a pas de valeur au ${date}, où la période s’ouvre. La première est du ${first}.`
          : `Il n’y a pas de valeur au ${date}, où la période s’ouvre, ni après.`,
      difference: (name: string, holding: string, from: string, to: string, units: string) =>
        `${name} : les unités de ${holding} au ${to} ne découlent pas de celles du ${from} et des mouvements entre les deux (${units}).`,
      movements_unread: (name: string, from: string | null, to: string) =>
        from
          ? `${name} : les valeurs sont connues jusqu’au ${to}, les mouvements seulement jusqu’au ${from}.`
          : `${name} : les valeurs sont connues jusqu’au ${to}, mais aucun mouvement.`,
      movement_unclear: (name: string, date: string) =>
        `${name} : un mouvement du ${date} peut être un apport ou un retrait, ou bien un gain ou une perte.`,
      flow_value_unknown: (name: string, date: string) =>
        `${name} : des titres sont entrés ou sortis le ${date} sans que leur valeur soit indiquée.`,
      rate_missing: (from: string, to: string, date: string, isMore: boolean) =>
        `Il n’y a pas de taux de change de ${from} en ${to} pour le ${date}, ni pour les sept jours précédents${isMore ? ", ni pour d’autres jours" : ""}.`,
      return_undefined: (date: string) => `Le ${date}, il y a un gain ou une perte, mais rien qui ait pu le produire.`,
      no_root: "Aucun taux n’explique ces montants.",
      several_roots: "Plusieurs taux expliquent ces montants.",
    },
    todo: {
      stale: "Il manque un relevé d’un jour intermédiaire : déposez-le, ou choisissez une période sans ces jours.",
      no_data: "Attendez la première livraison, ou voyez pourquoi il n’y en a pas.",
      value_unknown: "Demandez à la banque un relevé avec les valeurs.",
      no_opening_value: "Choisissez un premier jour plus tardif, ou déposez un relevé plus ancien.",
      difference: "Il manque un fichier de mouvements, ou la banque doit en corriger un.",
      movements_unread:
        "Il manque le fichier des mouvements de ces jours : déposez-le, ou choisissez un dernier jour antérieur.",
      movement_unclear: "Le fichier ou sa correspondance doit indiquer le genre du mouvement.",
      flow_value_unknown: "Il manque un relevé avec leur valeur vers ce jour.",
      rate_missing: "Les exploitants importent les taux de change ; ou choisissez une autre monnaie.",
      return_undefined: "Choisissez une période qui commence après ce jour.",
      no_root: "Le rendement pondéré par le temps existe peut-être.",
      several_roots: "Le rendement pondéré par le temps peut être univoque.",
    },
    open: "Ouvrir la connexion",
    beginAt: (day: string) => `Commencer le ${day}`,
  },
  es: {
    said: {
      stale: (name: string, from: string, to: string) => `${name}: ningún valor entre el ${from} y el ${to}.`,
      no_data: (name: string) => `${name} nunca ha entregado un valor.`,
      value_unknown: (name: string) => `${name}: el banco no dice el valor de todo.`,
      no_opening_value: (date: string, first: string | null) =>
        first
          ? `No hay valor del ${date}, con el que se abre el período. El primero es del ${first}.`
          : `No hay valor del ${date}, con el que se abre el período, ni después.`,
      difference: (name: string, holding: string, from: string, to: string, units: string) =>
        `${name}: las unidades de ${holding} el ${to} no se deducen de las del ${from} y de los movimientos intermedios (${units}).`,
      movements_unread: (name: string, from: string | null, to: string) =>
        from
          ? `${name}: se conocen valores hasta el ${to}, movimientos solo hasta el ${from}.`
          : `${name}: se conocen valores hasta el ${to}, pero ningún movimiento.`,
      movement_unclear: (name: string, date: string) =>
        `${name}: un movimiento del ${date} puede ser una aportación o retirada, o una ganancia o pérdida.`,
      flow_value_unknown: (name: string, date: string) =>
        `${name}: el ${date} entraron o salieron valores cuyo importe nadie dice.`,
      rate_missing: (from: string, to: string, date: string, isMore: boolean) =>
        `No hay tipo de cambio de ${from} a ${to} para el ${date} ni para los siete días anteriores${isMore ? ", ni para otros días" : ""}.`,
      return_undefined: (date: string) => `El ${date} hubo una ganancia o pérdida, pero nada que la pudiera producir.`,
      no_root: "Ninguna tasa explica estos importes.",
      several_roots: "Más de una tasa explica estos importes.",
    },
    todo: {
      stale: "Falta un extracto de un día intermedio: súbalo, o elija un período sin esos días.",
      no_data: "Espere la primera entrega, o mire por qué no la hay.",
      value_unknown: "Pida al banco un extracto con valores.",
      no_opening_value: "Elija un primer día posterior, o suba un extracto más antiguo.",
      difference: "Falta un fichero de movimientos, o el banco tiene que corregir uno.",
      movements_unread: "Falta el fichero con los movimientos de esos días: súbalo, o elija un último día anterior.",
      movement_unclear: "El fichero o su correspondencia tiene que decir la clase del movimiento.",
      flow_value_unknown: "Falta un extracto con su valor de esos días.",
      rate_missing: "Los operadores importan los tipos de cambio; o elija otra moneda.",
      return_undefined: "Elija un período que empiece después de ese día.",
      no_root: "Puede existir la rentabilidad ponderada por tiempo.",
      several_roots: "La rentabilidad ponderada por tiempo puede ser clara.",
    },
    open: "Abrir la conexión",
    beginAt: (day: string) => `Empezar el ${day}`,
  },
});
