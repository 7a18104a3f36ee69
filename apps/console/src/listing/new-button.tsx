import { usePerson } from "../api/session.js";
import { Button, type ButtonProps } from "../parts/button.js";

/** The button that creates an entry of a list, for people who may do so. */
export function NewButton({ look = "first", onClick, children }: Pick<ButtonProps, "look" | "onClick" | "children">) {
  const { may } = usePerson();
  return (
    may("administer") && (
      <Button look={look} onClick={onClick}>
        {children}
      </Button>
    )
  );
}
