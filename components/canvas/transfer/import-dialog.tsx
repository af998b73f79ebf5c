"use client";

import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { useRestore } from "@/components/canvas/versions/use-restore";
import { toApiError } from "@/components/trpc/api-error";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ImportForm } from "./import-form";
import { NOTHING_READ, useImport } from "./use-import";
import { useImportText } from "./use-import-text";

const Body = ({ onClose }: { readonly onClose: () => void }) => {
  const draft = useDocument();
  const catalog = useCanvas((state) => state.catalog);
  const readOnly = useCanvas((state) => state.readOnly);
  const { whyNot, restore } = useRestore();
  const create = useImport();
  const source = useImportText();
  const { found } = source;

  return (
    <ImportForm
      source={source}
      draft={draft}
      catalog={catalog}
      failure={create.error ? toApiError(create.error).message : null}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            disabledReason={readOnly ?? (found ? null : NOTHING_READ)}
            pending={create.isPending || create.isSuccess ? "Creating…" : null}
            onClick={() => (found ? create.mutate({ document: found.graph }) : undefined)}
          >
            Create new graph
          </Button>
          <Button
            variant="primary"
            disabledReason={found ? whyNot(found.graph) : (readOnly ?? NOTHING_READ)}
            onClick={() => {
              if (!found) return;
              restore(found.graph, "the imported graph");
              onClose();
            }}
          >
            Replace this draft
          </Button>
        </>
      }
    />
  );
};

type Props = { readonly open: boolean; readonly onClose: () => void };

export const ImportDialog = ({ open, onClose }: Props) => (
  <Dialog
    open={open}
    onOpenChange={(next) => (next ? undefined : onClose())}
    title="Import a graph"
    description="Imported as a draft. Nothing is published or run."
    size="lg"
  >
    <Body onClose={onClose} />
  </Dialog>
);
