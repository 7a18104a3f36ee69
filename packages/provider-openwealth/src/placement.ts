import type { Account, CustodyMovement, CustodyTransaction, Position, UnplacedTransaction } from "./custody-answers.js";

type StatedMovement = UnplacedTransaction["movementList"][number];

/** The types of accounts that hold assets, and money. */
const typeFor = { asset: "safekeepingAccount", money: "cashAccount" } as const;

/**
 * Says in which account a transaction moved what: the stated one, else that of its position, else that of the posted total, else the customer's only
 * one of that type (of money: in that currency). What is in none of them is left out, and `leftOut` is called.
 */
export function placing(
  accounts: ReadonlyMap<string, Account>,
  positions: readonly Position[],
  leftOut: () => void,
): (transaction: UnplacedTransaction) => CustodyTransaction {
  const byPosition = new Map(positions.map(({ id, account }) => [id, account]));
  const known = [...accounts.values()];

  function only(type: string, currency?: string): Account | undefined {
    const fitting = known.filter(
      (account) => account.type === type && (currency === undefined || account.referenceCurrency === currency),
    );
    return fitting.length === 1 ? fitting[0] : undefined;
  }

  function named(account: Account | undefined): Account | undefined {
    return account && (accounts.get(account.id) ?? account);
  }

  function ofPosition({ positionId }: StatedMovement): Account | undefined {
    return positionId === undefined ? undefined : byPosition.get(positionId);
  }

  return ({ movementList, postingAmountList, ...transaction }) => {
    const moneyIn = (currency: string) =>
      movementList.find(({ type, positionCurrency }) => type !== "asset" && positionCurrency === currency);
    const postings = postingAmountList?.map((posting) => {
      const moved = moneyIn(posting.currency);
      const account =
        named(posting.account ?? moved?.account) ??
        (moved && ofPosition(moved)) ??
        only(typeFor.money, posting.currency);
      return { ...posting, account };
    });
    const accountOf = (movement: StatedMovement): Account | undefined => {
      const found = named(movement.account) ?? ofPosition(movement);
      if (found !== undefined) return found;
      if (movement.type === "asset") return only(typeFor.asset);
      const { positionCurrency } = movement;
      const posted = postings?.filter(({ currency }) => currency === positionCurrency) ?? [];
      return posted.length === 1 ? posted[0]?.account : only(typeFor.money, positionCurrency);
    };
    return {
      ...transaction,
      movementList: movementList.flatMap((movement): CustodyMovement[] => placed(movement, accountOf(movement))),
      ...(postings !== undefined && {
        postingAmountList: postings.flatMap((posting) => placed(posting, posting.account)),
      }),
    };
  };

  function placed<Moved extends object>(moved: Moved, account: Account | undefined): (Moved & { account: Account })[] {
    if (account === undefined) leftOut();
    return account === undefined ? [] : [{ ...moved, account }];
  }
}
