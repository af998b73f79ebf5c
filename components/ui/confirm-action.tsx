"use client";

import { useState } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Failure } from "./failure";

type Props = {
  readonly label: string;
  readonly title: string;
  readonly consequence: string;
  readonly confirm: string;
  readonly pending: string;
  readonly disabledReason: string | null;
  readonly act: () => Promise<unknown>;
};

export const ConfirmAction = ({ label, title, consequence, confirm, pending, disabledReason, act }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async () => {
    setIsPending(true);
    setError(null);
    try {
      await act();
      setIsOpen(false);
    } catch (fault) {
      setError(fault);
    } finally {
      setIsPending(false);
    }
  };

  return (
    <>
      <Button variant="ghost" disabledReason={disabledReason} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={title}
        description={consequence}
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button variant="danger" pending={isPending ? pending : null} onClick={() => void run()}>
              {confirm}
            </Button>
          </>
        }
      >
        {error ? <Failure error={error} /> : null}
      </Dialog>
    </>
  );
};
