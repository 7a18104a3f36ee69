import { q } from "./question.mjs";

const subject = "banks in the catalogue";

export const aboutCatalogue = [
  q(
    "Which Caja Rural banks can be connected?",
    { subject, where: { name: "caja rural" }, want: "rows", pick: ["connector_id"] },
    "select id from bank_in_catalogue where name like 'Caja Rural%'",
  ),
  q(
    "Is the Zürcher Kantonalbank supported?",
    { subject, where: { name: "zurcher" }, want: "rows", pick: ["name"] },
    "select name from bank_in_catalogue where name like 'Zürcher%'",
  ),
  q(
    "Which banks in Spain can I connect?",
    { subject, where: { name: "Spain" }, want: "hint" },
    "select name, available from bank_in_catalogue where 'esp' = any(countries)",
    { judge: namesAvailable },
  ),
  q(
    "Can I connect my bank, Santandr?",
    { subject, where: { name: "Santandr" }, want: "hint" },
    "select name from bank_in_catalogue where name like '%Santander'",
    { judge: (hint, rows) => rows.every(([name]) => says(hint, name)) },
  ),
];

/** At least three banks that can be connected, and none that cannot. */
function namesAvailable(hint, rows) {
  const named = rows.filter(([name]) => says(hint, name));
  return named.length >= 3 && named.every(([, isAvailable]) => isAvailable);
}

function says(hint, text) {
  return typeof hint === "string" && hint.includes(text);
}
