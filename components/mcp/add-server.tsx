"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { whyNot, type Role } from "@/lib/roles";
import { AddServerForm } from "./add-server-form";

/** Registers a server: an address, or a program of the operator. */
export const AddServer = ({ role }: { readonly role: Role }) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <Button variant="primary" disabledReason={whyNot(role, "mcp.manage")} onClick={() => setIsOpen(true)}>
        Add server…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="lg"
        title="Add an MCP server"
        description="Nothing is started or reached before you inspect it, and nothing calls its tools before they were reviewed."
      >
        <AddServerForm onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
};
