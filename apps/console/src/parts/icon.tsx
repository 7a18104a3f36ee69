/** Icons of 24 units, each drawn with one stroke, for screens, states and actions. Hidden from screen readers. */
const drawings = {
  work: "M4 6h16M4 12h10M4 18h7M17 16l2 2 3-4",
  letters: "M3 6h18v12H3zM3 7l9 7 9-7",
  connections: "M9 12h6M7 8a4 4 0 0 0 0 8h2M17 8a4 4 0 0 1 0 8h-2",
  data: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  feeds: "M12 3v11M8 10l4 4 4-4M4 17v3h16v-3",
  catalogue: "M4 5h6v6H4zM14 5h6v6h-6zM4 15h6v4H4zM14 15h6v4h-6z",
  providers: "M3 10l9-6 9 6M5 10v8M10 10v8M14 10v8M19 10v8M3 20h18",
  applications: "M4 5h16v14H4zM4 9h16M8 13l2 2-2 2",
  grants: "M14 8a4 4 0 1 1-3 6.7L4 21v-4l5-4.5A4 4 0 0 1 14 8zM15 11h.01",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 3-6 7-6s7 2 7 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5c2.5.7 4 2.5 4 5.5",
  tenants: "M4 20V5h9v15M13 10h7v10M7 9h3M7 13h3M7 17h3M16 14h1M16 17h1M2 20h20",
  keys: "M8 15a4 4 0 1 1 3.5-6H21v4h-3v3h-3v-3h-3.5A4 4 0 0 1 8 15z",
  webhooks:
    "M12 4a3.5 3.5 0 0 1 3 5.3l3 5M9 9.3A3.5 3.5 0 0 1 12 4M6 20a3.5 3.5 0 0 1-.5-7M18 20a3.5 3.5 0 1 0 0-7M9 18h6M9 9.3l-3 5",
  holdings: "M4 20V4M4 20h16M8 20v-6h3v6M13 20V9h3v11",
  audit: "M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6",
  filter: "M4 5h16l-6 8v6l-4-2v-4z",
  sessions: "M3 5h18v11H3zM8 20h8M12 16v4",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-6 8-6s8 2 8 6",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6L6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12l5 5 9-10",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  language: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  appearance: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18M12 8h5M12 12h8.5M12 16h6",
  rates: "M4 8h14l-4-4M20 16H6l4 4",
  sources:
    "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
  mapping: "M4 5h6v5H4zM14 14h6v5h-6zM10 7.5h4.5a2.5 2.5 0 0 1 2.5 2.5v4",
  identity: "M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6zM9 12l2 2 4-4",
  ticket: "M3 7h18v3.5a1.5 1.5 0 0 0 0 3V17H3v-3.5a1.5 1.5 0 0 0 0-3zM14 7v2M14 11v2M14 15v2",
  events: "M3 12h4l3-8 4 16 3-8h4",
  columns: "M4 5h16v14H4zM10 5v14M15 5v14",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  signOut: "M14 4h5v16h-5M4 12h10M10 8l4 4-4 4",
  download: "M12 4v11M8 11l4 4 4-4M4 20h16",
  next: "M9 5l7 7-7 7",
  sortable: "M8 9l4-4 4 4M8 15l4 4 4-4",
  sorted: "M12 5v14M6 13l6 6 6-6",
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={drawings[name]} />
    </svg>
  );
}
