import { expect, it } from "vitest";
import { dateReader } from "./dates.js";

it.each([
  ["yyyy-MM-dd", "2026-01-31", "2026-01-31"],
  ["dd.MM.yyyy", "31.01.2026", "2026-01-31"],
  ["d/M/yyyy", "1/2/2026", "2026-02-01"],
  ["M/d/yyyy", "1/2/2026", "2026-01-02"],
  ["dd/MM/yy HH:mm:ss", "23/12/24 15:18:12", "2024-12-23"],
  ["yyyyMMdd", "20260131", "2026-01-31"],
  ["dd-MM-yyyy HH:mm:ss.SSS", "08-02-2024 11:46:03.004", "2024-02-08"],
  ["MM/dd/yyyy*", "07/15/2024 as of 07/12/2024", "2024-07-15"],
  ["yyyy-MM-dd*", "2024-07-15T10:00:00Z", "2024-07-15"],
  ["dd-MMM-yyyy", "02-Apr-2025", "2025-04-02"],
  ["dd MMM yyyy", "15 févr. 2025", "2025-02-15"],
  ["d. MMMM yyyy", "3. März 2025", "2025-03-03"],
  ["d MMMM yyyy", "1 de", null],
  ["d MMMM yyyy", "1 agosto 2025", "2025-08-01"],
  ["d MMM yyyy", "1 okt 2025", "2025-10-01"],
  ["d MMM yyyy", "1 maj 2025", "2025-05-01"],
  ["d MMM yyyy", "1 mrt 2025", "2025-03-01"],
  ["d MMM yyyy", "1 juillet 2025", null],
  ["d MMMM yyyy", "1 juillet 2025", "2025-07-01"],
  ["MMMM d, yyyy", "January 31, 2026", "2026-01-31"],
  ["yyyy-MM-dd", "2025-02-30", null],
  ["dd.MM.yyyy", "010.09.2024", null],
  ["dd.MM.yy*", "01.02.2024", null],
  ["dd.MM.yyyy", "2024-01-01", null],
])("%j reads %j as %j", (format, text, day) => {
  expect(dateReader(format)(text)).toBe(day);
});
