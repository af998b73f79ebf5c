"use client";

import { useState, type ReactNode } from "react";
import { Button } from "./button";
import type { ButtonStyle } from "./button-style";
import { Dialog } from "./dialog";
import { Failure } from "./failure";
import { notify } from "./toast";
import { useAttempt } from "./use-attempt";

type Props = {
  readonly label: string;
  /** Accessible name of the button. */
  readonly name?: string;
  readonly title: string;
  readonly consequence: string;
  readonly confirm: string;
  readonly pending: string;
  /** Message after success. */
  readonly done?: string;
  readonly disabledReason: string | null;
  readonly variant?: ButtonStyle["variant"];
  readonly buttonSize?: ButtonStyle["size"];
  /** `primary`: nothing is lost. */
  readonly confirmVariant?: "danger" | "primary";
  readonly size?: "md" | "lg";
  readonly act: () => Promise<unknown>;
  /** Details to read before confirming. */
  readonly children?: ReactNode;
};

export const ConfirmAction = ({ variant = "ghost", confirmVariant = "danger", size = "md", ...props }: Props) => {
  const { label, name, title, consequence, confirm, pending, done, disabledReason, buttonSize, act, children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const { attempt, isPending, error, reset } = useAttempt();
  const setOpen = (next: boolean) => {
    reset();
    setIsOpen(next);
  };
  const run = async () => {
    if (!(await attempt(act))) return;
    if (done) notify({ title: done });
    setIsOpen(false);
  };

  return (
    <>
      <Button variant={variant} size={buttonSize} disabledReason={disabledReason} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size={size}
        title={title}
        description={consequence}
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button variant={confirmVariant} pending={isPending ? pending : null} onClick={() => void run()}>
              {confirm}
            </Button>
          </>
        }
      >
        {error ? <Failure error={error} /> : null}
        {children}
      </Dialog>
    </>
  );
};
