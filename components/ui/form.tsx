import type { ReactNode } from "react";

type Props = {
  /** For a button that stands outside of it, as in the foot of a dialog. */
  readonly id?: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

/** Fields one below the other. It says itself what is wrong, and the page stays where it is. */
export const Form = ({ id, onSubmit, children }: Props) => (
  <form
    id={id}
    method="post"
    noValidate
    className="flex flex-col gap-3"
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);
