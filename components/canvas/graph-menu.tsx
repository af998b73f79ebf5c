"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Menu, MenuItem } from "@/components/ui/menu";
import { notify } from "@/components/ui/toast";
import type { GraphRow } from "./graph-row";

const MOST_NAME = 120;
const COPY = " (copy)";

const useRefresh = () => {
  const trpc = useTRPC();
  const queries = useQueryClient();

  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.graphs.list.queryKey() }),
      queries.invalidateQueries({ queryKey: trpc.graphs.listDeleted.queryKey() }),
    ]);
};

const splitTags = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
  ),
];

type DialogProps = { readonly graph: GraphRow; readonly onClose: () => void };

const TagsDialog = ({ graph, onClose }: DialogProps) => {
  const [text, setText] = useState(graph.tags.join(", "));
  const refresh = useRefresh();
  const save = useMutation(
    useTRPC().graphs.file.mutationOptions({
      onSuccess: async () => {
        await refresh();
        onClose();
      },
    }),
  );

  return (
    <Dialog open onOpenChange={onClose} title={`Tags of ${graph.name}`}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate({ id: graph.id, tags: splitTags(text) });
        }}
      >
        <Field label="Tags" hint="Separated by commas." error={save.error ? toApiError(save.error).message : null}>
          <Input value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <Button type="submit" variant="primary" className="self-end" pending={save.isPending ? "Saving…" : null}>
          Save
        </Button>
      </form>
    </Dialog>
  );
};

const DeleteDialog = ({ graph, onClose }: DialogProps) => {
  const refresh = useRefresh();
  const remove = useMutation(
    useTRPC().graphs.remove.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notify({ title: `${graph.name} was deleted. Restore it under Deleted graphs.` });
        onClose();
      },
    }),
  );

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Delete ${graph.name}?`}
      description="It leaves the lists and starts no more runs. Its draft, versions, runs and records stay and can be verified, and it can be restored."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" pending={remove.isPending ? "Deleting…" : null} onClick={() => remove.mutate({ id: graph.id })}>
            Delete graph
          </Button>
        </>
      }
    >
      {remove.error ? <Callout kind="refused" alert title={toApiError(remove.error).message} /> : null}
    </Dialog>
  );
};

const useDuplicate = ({ id, name }: GraphRow) => {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const router = useRouter();

  return useMutation({
    mutationFn: async () => {
      const { document } = await client.graphs.get.query({ id });

      return client.graphs.import.mutate({ document: { ...document, name: `${name.slice(0, MOST_NAME - COPY.length)}${COPY}` } });
    },
    onSuccess: async (created) => {
      await refresh();
      router.push(`/graphs/${created.id}`);
    },
    onError: (error) => notify({ tone: "error", title: toApiError(error).message }),
  });
};

type Props = { readonly graph: GraphRow; readonly cannotEdit: string | null };

export const GraphMenu = ({ graph, cannotEdit }: Props) => {
  const [open, setOpen] = useState<"tags" | "delete" | null>(null);
  const refresh = useRefresh();
  const duplicate = useDuplicate(graph);
  const own = useMutation(
    useTRPC().graphs.file.mutationOptions({
      onSuccess: refresh,
      onError: (error) => notify({ tone: "error", title: toApiError(error).message }),
    }),
  );
  const close = () => setOpen(null);
  const trigger = (
    <Button size="sm" variant="ghost" disabledReason={cannotEdit} aria-label={`Actions for ${graph.name}`}>
      <Ellipsis aria-hidden className="size-4" />
    </Button>
  );
  if (cannotEdit !== null) return trigger;

  return (
    <>
      <Menu align="end" trigger={trigger}>
        <MenuItem onClick={() => duplicate.mutate()}>Duplicate</MenuItem>
        <MenuItem onClick={() => setOpen("tags")}>Edit tags…</MenuItem>
        <MenuItem onClick={() => own.mutate({ id: graph.id, own: true })}>Make me the owner</MenuItem>
        <MenuItem onClick={() => setOpen("delete")}>Delete…</MenuItem>
      </Menu>
      {open === "tags" ? <TagsDialog graph={graph} onClose={close} /> : null}
      {open === "delete" ? <DeleteDialog graph={graph} onClose={close} /> : null}
    </>
  );
};
