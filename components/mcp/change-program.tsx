"use client";

import { useState } from "react";
import { Callout } from "@/components/ui/callout";
import { DialogButton } from "@/components/ui/dialog-button";
import { Form, FormActions } from "@/components/ui/form";
import type { OfferedProgram, StdioManifest } from "@/lib/mcp/program";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { toDraft, toFilled } from "./program-draft";
import { ProgramFields } from "./program-fields";
import { Unsent } from "./unsent";
import { useRegistryForm } from "./use-registry";

type Props = {
  readonly server: ServerView;
  readonly manifest: StdioManifest;
  /** As currently offered. */
  readonly program: OfferedProgram | null;
  readonly reason: string | null;
};

const ProgramForm = ({ server, manifest, program: offered, close }: Omit<Props, "reason"> & { readonly close: () => void }) => {
  const { submit, isPending, error, problem } = useRegistryForm();
  const [program, setProgram] = useState(offered);
  const [filled, setFilled] = useState(() => toFilled(manifest));
  const save = async () => {
    const { id, revision } = server;
    const { manifest: next, ...found } = toDraft(id, program, filled);
    const command = next ? { type: "set_transport" as const, id, revision, transport: { type: "stdio" as const, manifest: next } } : null;
    if (await submit({ command, ...found }, "Program confirmed. Inspect the server next.")) close();
  };

  return (
    <Form onSubmit={save} error={error}>
      <Unsent problem={problem} />
      <ProgramFields
        program={program}
        filled={filled}
        onChange={(next, texts) => {
          setProgram(next);
          setFilled(texts);
        }}
      />
      <FormActions submit="Confirm program" pending={isPending ? "Saving…" : null} onCancel={close} />
    </Form>
  );
};

export const ChangeProgram = ({ server, manifest, program, reason }: Props) => {
  const isChanged = program !== null && program.digest !== manifest.digest;

  return (
    <>
      {isChanged ? (
        <Callout kind="tainted" title="The program was updated" className="mb-2">
          The server doesn&apos;t start until you confirm the new digest.
        </Callout>
      ) : null}
      <DialogButton
        label={isChanged ? "Confirm update…" : "Change program or values…"}
        buttonSize="sm"
        disabledReason={reason}
        size="lg"
        title={`Change the program of ${server.name}`}
        description="Nothing is started now. Afterwards, inspect and review the server again."
      >
        {(close) => <ProgramForm server={server} manifest={manifest} program={program} close={close} />}
      </DialogButton>
    </>
  );
};
