"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { importServers, type ImportDraft, type Imported } from "@/lib/mcp/import";
import type { OfferedProgram } from "@/lib/mcp/program";
import { whyNot, type Role } from "@/lib/roles";
import { ImportReview } from "./import-review";

const FORMATS = {
  mcpServers: "mcpServers, as Claude and Cursor write it",
  servers: "servers, as VS Code writes it",
  "server.json": "server.json of the MCP registry",
} as const;

type PasteProps = {
  readonly taken: readonly string[];
  readonly programs: readonly OfferedProgram[];
  readonly onRead: (read: Imported) => void;
};

const Paste = ({ taken, programs, onRead }: PasteProps) => {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const read = () => {
    const result = importServers(text, programs, taken);
    if (result.ok) onRead(result.value);
    else setFault(result.error);
  };

  return (
    <form
      method="post"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        read();
      }}
    >
      <Field label="The file" hint="It is read in this browser and goes nowhere. Nothing of it is run." error={fault}>
        <Textarea
          rows={12}
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-xs"
          placeholder='{ "mcpServers": { … } }'
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div className="flex justify-end border-t pt-3">
        <Button type="submit" variant="primary" disabled={text.trim() === ""}>
          Look at it
        </Button>
      </div>
    </form>
  );
};

const summary = (drafts: readonly ImportDraft[]): string => {
  const possible = drafts.filter(({ problems }) => problems.length === 0).length;

  return `${drafts.length === 1 ? "One server" : `${drafts.length} servers`}; ${possible === 0 ? "none" : possible} can be registered as written.`;
};

const Found = ({ read, onAgain }: { readonly read: Imported; readonly onAgain: () => void }) => (
  <div className="flex flex-col gap-3">
    <p className="text-sm">
      {FORMATS[read.format]}. {summary(read.drafts)}
    </p>
    <ol className="flex flex-col gap-3">
      {read.drafts.map((draft) => (
        <li key={draft.id}>
          <ImportReview draft={draft} />
        </li>
      ))}
    </ol>
    <div className="flex justify-end border-t pt-3">
      <Button onClick={onAgain}>Another file</Button>
    </div>
  </div>
);

/** Servers out of a file of another client: each is looked at before it is registered, and starts in quarantine. */
export const ImportServers = ({ role }: { readonly role: Role }) => {
  const [isOpen, setIsOpen] = useState(false);
  const [read, setRead] = useState<Imported | null>(null);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.mcp.list.queryOptions());
  const { data: programs } = useQuery({ ...trpc.mcp.programs.queryOptions(), enabled: isOpen });

  return (
    <>
      <Button disabledReason={whyNot(role, "mcp.manage")} onClick={() => setIsOpen(true)}>
        Import…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={(next) => {
          setIsOpen(next);
          if (!next) setRead(null);
        }}
        size="xl"
        title="Import MCP servers"
        description="From Claude, Cursor or VS Code, or a server.json. Each server is looked at here before it is registered."
      >
        {read ? (
          <Found read={read} onAgain={() => setRead(null)} />
        ) : (
          <Paste taken={(data ?? []).map(({ id }) => id)} programs={programs ?? []} onRead={setRead} />
        )}
      </Dialog>
    </>
  );
};
