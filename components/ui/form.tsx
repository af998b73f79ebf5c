import type { ReactNode } from "react";

type Props = {
  /** For submit buttons outside. */
  readonly id?: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

/** Form without native validation. */
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
