"use client";

import { useState } from "react";
import { toApiError, type ApiError } from "@/components/trpc/api-error";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Form } from "@/components/ui/form";
import type { OfferedProgram, StdioManifest } from "@/lib/mcp/program";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { Failure } from "./failure";
import { toDraft, toFilled } from "./program-draft";
import { ProgramFields } from "./program-fields";
import { useRegistry } from "./use-registry";
import { useSecrets } from "./use-secrets";

const FORM = "program";

type Props = {
  readonly server: ServerView;
  readonly manifest: StdioManifest;
  /** As currently offered. */
  readonly program: OfferedProgram | null;
  readonly reason: string | null;
};

const Fields = ({ server, manifest, program: offered, onDone }: Omit<Props, "reason"> & { readonly onDone: () => void }) => {
  const { send, failure } = useRegistry({ showsFailure: true });
  const { putAll } = useSecrets();
  const [program, setProgram] = useState(offered);
  const [filled, setFilled] = useState(() => toFilled(manifest));
  const [problem, setProblem] = useState<string | null>(null);
  const [secretFailure, setSecretFailure] = useState<ApiError | null>(null);
  const submit = async () => {
    const draft = program && toDraft(server.id, program, filled);
    setProblem(draft ? draft.problem : "Choose a program.");
    setSecretFailure(null);
    if (!draft || draft.problem !== null) return;
    try {
      await putAll(draft.secrets);
    } catch (error) {
      setSecretFailure(toApiError(error));

      return;
    }
    const { id, revision } = server;
    const transport = { type: "stdio" as const, manifest: draft.manifest };
    if (await send({ type: "set_transport", id, revision, transport }, "Program confirmed. Inspect the server next.")) onDone();
  };

  return (
    <Form id={FORM} onSubmit={() => void submit()}>
      <Failure failure={failure ?? secretFailure} />
      {problem === null ? null : (
        <Callout kind="refused" alert title={problem}>
          Nothing was sent.
        </Callout>
      )}
      <ProgramFields
        program={program}
        filled={filled}
        onChange={(next, texts) => {
          setProgram(next);
          setFilled(texts);
        }}
      />
    </Form>
  );
};

/** Changes the program, which requires inspection and review. */
export const ChangeProgram = ({ server, manifest, program, reason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const isChanged = program !== null && program.digest !== manifest.digest;

  return (
    <>
      {isChanged ? (
        <Callout kind="tainted" title="The program was updated" className="mb-2">
          The server doesn&apos;t start until you confirm the new digest.
        </Callout>
      ) : null}
      <Button size="sm" disabledReason={reason} onClick={() => setIsOpen(true)}>
        {isChanged ? "Confirm update…" : "Change program or values…"}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="lg"
        title={`Change the program of ${server.name}`}
        description="Nothing is started now. Afterwards, inspect and review the server again."
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button type="submit" form={FORM} variant="primary">
              Confirm program
            </Button>
          </>
        }
      >
        <Fields server={server} manifest={manifest} program={program} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
};
