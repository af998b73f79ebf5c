"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useNewDialog } from "./use-new-dialog";

type Props = { readonly disabledReason: string | null };

export const NewGraphDialog = ({ disabledReason }: Props) => {
  const router = useRouter();
  const trpc = useTRPC();
  const dialog = useNewDialog("graph");
  const [name, setName] = useState("");
  const create = useMutation(trpc.graphs.create.mutationOptions({ onSuccess: ({ id }) => router.push(`/graphs/${id}`) }));
  const missing = name.trim() === "" ? "Enter a name first" : null;

  return (
    <>
      <Button variant="primary" disabledReason={disabledReason} onClick={() => dialog.setOpen(true)}>
        <Plus aria-hidden /> New graph
      </Button>
      <Dialog open={dialog.isOpen && disabledReason === null} onOpenChange={dialog.setOpen} title="New graph">
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (missing === null && !create.isPending) create.mutate({ name });
          }}
        >
          <Field label="Name" error={create.error ? toApiError(create.error).message : null}>
            <Input value={name} maxLength={120} onChange={(event) => setName(event.target.value)} />
          </Field>
          <Button
            type="submit"
            variant="primary"
            className="self-end"
            disabledReason={missing}
            pending={create.isPending ? "Creating…" : null}
          >
            Create
          </Button>
        </form>
      </Dialog>
    </>
  );
};
