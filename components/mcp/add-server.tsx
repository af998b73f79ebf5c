"use client";

import { DialogButton } from "@/components/ui/dialog-button";
import { explainDenial, type Role } from "@/lib/roles";
import { AddServerForm } from "./add-server-form";

export const AddServer = ({ role }: { readonly role: Role }) => (
  <DialogButton
    label="Add server…"
    variant="primary"
    disabledReason={explainDenial(role, "mcp.manage")}
    size="lg"
    title="Add an MCP server"
    description="The server isn't started or contacted until you inspect it, and its tools can't be called until they are reviewed."
  >
    {(close) => <AddServerForm onDone={close} />}
  </DialogButton>
);
