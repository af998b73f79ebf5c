"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "./failure";

type Props = {
  readonly label: string;
  readonly title: string;
  readonly consequence: string;
  readonly confirm: string;
  readonly pending: string;
  readonly disabledReason: string | null;
  /** Resolves when it is done; what it throws is shown. */
  readonly act: () => Promise<unknown>;
};

/** Something that is asked about once before it is done. */
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
            <Button onClick={() => setIsOpen(false)}>Keep it as it is</Button>
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
