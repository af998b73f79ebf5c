"use client";

import { useState } from "react";
import { toApiError, type ApiError } from "@/components/trpc/api-error";
import { Button } from "./button";
import { Callout } from "./callout";
import { Dialog } from "./dialog";
import { notify } from "./toast";

type Props = {
  readonly title: string;
  readonly consequence: string;
  readonly done: string;
  readonly disabledReason: string | null;
  readonly revoke: () => Promise<unknown>;
};

/** Confirms an irreversible revocation. */
export const Revoke = ({ title, consequence, done, disabledReason, revoke }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const confirm = async () => {
    setIsPending(true);
    setFailure(null);
    try {
      await revoke();
      notify({ title: done });
      setIsOpen(false);
    } catch (error) {
      setFailure(toApiError(error));
    } finally {
      setIsPending(false);
    }
  };

  return (
    <>
      <Button size="sm" variant="ghost" disabledReason={disabledReason} aria-label={title} onClick={() => setIsOpen(true)}>
        Revoke…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={`${title}?`}
        description={consequence}
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button variant="danger" pending={isPending ? "Revoking…" : null} onClick={() => void confirm()}>
              Revoke
            </Button>
          </>
        }
      >
        {failure ? <Callout kind="refused" alert title={failure.message} /> : null}
      </Dialog>
    </>
  );
};
