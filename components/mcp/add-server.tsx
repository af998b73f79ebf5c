"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { explainDenial, type Role } from "@/lib/roles";
import { AddServerForm } from "./add-server-form";

/** Adds an HTTP server or an operator program. */
export const AddServer = ({ role }: { readonly role: Role }) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <Button variant="primary" disabledReason={explainDenial(role, "mcp.manage")} onClick={() => setIsOpen(true)}>
        Add server…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="lg"
        title="Add an MCP server"
        description="The server isn't started or contacted until you inspect it, and its tools can't be called until they are reviewed."
      >
        <AddServerForm onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
};
