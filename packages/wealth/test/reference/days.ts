const millisecondsOfDay = 86_400_000;

/** The day so many days after another, or before it. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * millisecondsOfDay).toISOString().slice(0, 10);
}

/** How many days later the second is. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / millisecondsOfDay;
}

/** Every day from the first to the last, both among them. */
export function everyDay(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

export function isSunday(day: string): boolean {
  return weekday(day) === 0;
}

export function isMondayToFriday(day: string): boolean {
  return weekday(day) >= 1 && weekday(day) <= 5;
}

export function isLastOfMonth(day: string): boolean {
  return addDays(day, 1).endsWith("-01");
}

function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}
