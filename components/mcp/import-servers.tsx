"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Textarea } from "@/components/ui/textarea";
import { importServers, type ImportDraft, type Imported } from "@/lib/mcp/import";
import type { OfferedProgram } from "@/lib/mcp/program";
import { explainDenial, type Role } from "@/lib/roles";
import { ImportReview } from "./import-review";

const FORMATS = {
  mcpServers: "mcpServers (Claude, Cursor)",
  servers: "servers (VS Code)",
  "server.json": "server.json (MCP registry)",
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
    <Form onSubmit={read}>
      <Field label="File contents" hint="Read in this browser only. Nothing in it is run." error={fault}>
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
        <Button type="submit" variant="primary" disabledReason={text.trim() === "" ? "Paste or choose a file first" : null}>
          Preview
        </Button>
      </div>
    </Form>
  );
};

const summary = (drafts: readonly ImportDraft[]): string => {
  const possible = drafts.filter(({ problems }) => problems.length === 0).length;

  return `${drafts.length} ${drafts.length === 1 ? "server" : "servers"}; ${possible} can be imported as is.`;
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
      <Button onClick={onAgain}>Import another file</Button>
    </div>
  </div>
);

const ImportSteps = () => {
  const [read, setRead] = useState<Imported | null>(null);
  const trpc = useTRPC();
  const { data: servers } = useQuery(trpc.mcp.list.queryOptions());
  const { data: programs } = useQuery(trpc.mcp.programs.queryOptions());

  return read ? (
    <Found read={read} onAgain={() => setRead(null)} />
  ) : (
    <Paste taken={(servers ?? []).map(({ id }) => id)} programs={programs ?? []} onRead={setRead} />
  );
};

export const ImportServers = ({ role }: { readonly role: Role }) => (
  <DialogButton
    label="Import…"
    disabledReason={explainDenial(role, "mcp.manage")}
    size="xl"
    title="Import MCP servers"
    description="Paste a configuration from Claude, Cursor or VS Code, or a server.json. Preview each server before you add it."
  >
    {() => <ImportSteps />}
  </DialogButton>
);
