"use client";

import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ImportForm } from "./import-form";
import { NOTHING_READ, useImport } from "./use-import";
import { useImportText } from "./use-import-text";

const Body = () => {
  const catalog = useQuery(useTRPC().graphs.catalog.queryOptions());
  const create = useImport();
  const source = useImportText();
  const { found } = source;

  return (
    <ImportForm
      source={source}
      draft={null}
      catalog={catalog.data ?? null}
      failure={create.error ? toApiError(create.error).message : null}
      actions={
        <Button
          variant="primary"
          disabledReason={found ? null : NOTHING_READ}
          pending={create.isPending || create.isSuccess ? "Creating…" : null}
          onClick={() => (found ? create.mutate({ document: found.graph }) : undefined)}
        >
          Create new graph
        </Button>
      }
    />
  );
};

export const ImportGraph = ({ disabledReason }: { readonly disabledReason: string | null }) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <Button disabledReason={disabledReason} onClick={() => setIsOpen(true)}>
        <Upload aria-hidden /> Import
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="Import a graph"
        description="Imported as the draft of a new graph. Nothing is published or run."
        size="lg"
      >
        <Body />
      </Dialog>
    </>
  );
};
