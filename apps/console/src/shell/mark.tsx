/** The product's mark and name. */
export function Mark() {
  return (
    <span className="brand">
      <svg className="mark" aria-hidden="true" viewBox="0 0 28 28">
        <rect width="28" height="28" rx="8" />
        <path d="M8 19v-4M14 19v-7M20 19V8" />
      </svg>
      Wealth Connect
    </span>
  );
}
