"use client";

import { useState, type ReactNode } from "react";
import { Button } from "./button";
import type { ButtonStyle } from "./button-style";
import { Dialog, type DialogSize } from "./dialog";

type Props = {
  readonly label: ReactNode;
  /** Accessible name of the button. */
  readonly name?: string | undefined;
  readonly disabledReason?: string | null;
  readonly variant?: ButtonStyle["variant"];
  readonly buttonSize?: ButtonStyle["size"];
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly size?: DialogSize;
  readonly onOpen?: () => void;
  /** Mounted while open. */
  readonly children: (close: () => void) => ReactNode;
};

/** Button with a dialog; its content starts fresh. */
export const DialogButton = ({ label, name, disabledReason, variant, buttonSize, onOpen, children, ...dialog }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    onOpen?.();
    setIsOpen(true);
  };

  return (
    <>
      <Button variant={variant} size={buttonSize} disabledReason={disabledReason} aria-label={name} onClick={open}>
        {label}
      </Button>
      <Dialog {...dialog} open={isOpen} onOpenChange={setIsOpen}>
        {children(() => setIsOpen(false))}
      </Dialog>
    </>
  );
};

type ShowOnceProps = {
  readonly title: string;
  readonly description: string;
  readonly onDone: () => void;
  readonly children: ReactNode;
};

/** A value that can't be shown again; only "Done" closes it. */
export const ShowOnce = ({ title, description, onDone, children }: ShowOnceProps) => (
  <Dialog
    open
    size="lg"
    title={title}
    description={description}
    footer={
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    }
  >
    <div className="flex flex-col gap-3">{children}</div>
  </Dialog>
);
