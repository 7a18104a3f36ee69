import { Link } from "../parts/link.js";
import { clientOf, type OfClient } from "./client-name.js";

/** The client whose something is: for the tenant's people a link to the client. Nothing if it is nobody's. */
export function ClientFact({ of, isLink }: { readonly of: OfClient; readonly isLink: boolean }) {
  const { client_ref, client_name } = of;
  if (!client_ref) return null;
  const shown = client_name ? `${client_name} (${client_ref})` : clientOf(of);
  return isLink ? (
    <Link to="/client" search={{ ref: client_ref }}>
      {shown}
    </Link>
  ) : (
    shown
  );
}
