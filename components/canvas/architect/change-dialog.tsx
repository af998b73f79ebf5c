"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCanvasStore, useSaver } from "@/components/canvas/state/canvas-context";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Dialog } from "@/components/ui/dialog";
import { WishForm, type Wish } from "./wish-form";

const Form = () => {
  const router = useRouter();
  const client = useTRPCClient();
  const store = useCanvasStore();
  const saver = useSaver();
  const change = useMutation({
    mutationFn: async (wish: Wish) => {
      const revision = await saver.saveNow();
      if (revision === null) throw new Error("The draft could not be saved, so no change was requested. Save it, then try again.");
      const { graphId, history } = store.getState();

      return client.architect.change.mutate({ ...wish, graphId, revision, document: history.document });
    },
    onSuccess: ({ id }) => router.push(`/graphs/architect/${id}`),
  });

  return (
    <WishForm
      label="What should change?"
      placeholder="Require two approvals"
      submitLabel="Propose change"
      pending={change.isPending || change.isSuccess}
      error={change.error}
      onSubmit={(wish) => change.mutate(wish)}
    />
  );
};

type Props = { readonly open: boolean; readonly onClose: () => void };

export const ChangeDialog = ({ open, onClose }: Props) => (
  <Dialog
    open={open}
    onOpenChange={(next) => (next ? undefined : onClose())}
    title="Change this graph"
    description="A model proposes the change. It can't weaken approvals, quorums, protected keys or strict taint."
    size="lg"
  >
    <Form />
  </Dialog>
);
