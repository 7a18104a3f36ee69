import type { Power } from "@org/people/roles";
import { usePerson } from "../api/session.js";
import { useAddress } from "../parts/address.js";

/** What the search can begin: the screen, and the name of its dialog in the address. */
export const beginnings = {
  invite: { path: "/people", power: "administer" },
  submit: { path: "/letters", power: "work" },
  request: { path: "/letters", power: "work" },
  session: { path: "/connections", power: "work" },
  tenant: { path: "/tenants", power: "administer" },
  client: { path: "/clients", power: "work" },
  application: { path: "/applications", power: "administer" },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly power: Power }>>;

export type Beginning = keyof typeof beginnings;

/** Whether a dialog of this screen is open, and a function that opens or closes it. It is in the address, so that the search can open it. */
export function useBeginning(name: Beginning): readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const { search, setSearch } = useAddress();
  const { may } = usePerson();
  return [search.begin === name && may(beginnings[name].power), (isOpen) => setSearch({ begin: isOpen ? name : "" })];
}
