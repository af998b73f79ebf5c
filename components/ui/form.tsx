import type { ReactNode } from "react";

type Props = {
  /** For a submit button outside the form, such as in a dialog's footer. */
  readonly id?: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

/** Form with stacked fields, without native validation or navigation. */
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
