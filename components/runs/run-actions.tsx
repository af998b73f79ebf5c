"use client";

import { Ellipsis } from "lucide-react";
import { parseAsInteger, useQueryState } from "nuqs";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import type { Role } from "@/lib/roles";
import { ExportDialog } from "./export-run";
import { ReplayDialog } from "./replay-dialog";
import { RetryDialog } from "./retry-run";
import type { RunDetails } from "./types";

type Props = {
  readonly run: RunDetails["run"];
  readonly role: Role;
};

export const RunActions = ({ run, role }: Props) => {
  const [open, setOpen] = useState<"export" | "retry" | "replay" | null>(null);
  const [, setAt] = useQueryState("t", parseAsInteger);
  const close = () => setOpen(null);

  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button size="sm" variant="ghost" aria-label="More run actions">
            <Ellipsis aria-hidden className="size-4" />
          </Button>
        }
      >
        <MenuItem onClick={() => setOpen("export")}>Export bundle…</MenuItem>
        <MenuItem onClick={() => setOpen("retry")}>Run again…</MenuItem>
      </Menu>
      <Button size="sm" onClick={() => setOpen("replay")}>
        Replay
      </Button>
      {open === "export" ? <ExportDialog runId={run.id} onClose={close} /> : null}
      {open === "retry" ? <RetryDialog run={run} role={role} onClose={close} /> : null}
      <ReplayDialog
        runId={run.id}
        open={open === "replay"}
        onOpenChange={(next) => (next ? undefined : close())}
        onJump={(seq) => {
          close();
          void setAt(seq);
        }}
      />
    </>
  );
};
